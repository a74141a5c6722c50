/* Kernel packs in C: find a pack, read its contract, run it on a GPU through WebGPU or on the processor.
 *
 * A pack is a folder that describes one operator: metadata.json (digests), manifest.json (ports, types,
 * attributes, variants and when each applies) and WGSL templates. docs/packs.md documents the format.
 *
 *   wnn_kernel *kernel;
 *   wnn_kernel_options options = WNN_KERNEL_OPTIONS_INIT;
 *   options.version = 1;
 *   wnn_kernel_load("webgpu-kernels/com.microsoft.EmbedLayerNormalization", &options, &kernel, &error);
 *   wnn_kernel_input inputs[] = {{.name = "inputIdsT", .desc = {WNN_PACK_INT32, 2, {1, 2}}, .data = ids}, ...};
 *   wnn_kernel_call call = {.inputs = inputs, .input_count = 5};
 *   wnn_kernel_result *result;
 *   wnn_kernel_run(kernel, &call, &result, &error);
 *   const wnn_kernel_value *output = wnn_kernel_result_find(result, "outputT");
 *
 * The conventions of webnn.h hold: what *_create, *_load or *_run hands out is given back with *_release,
 * which accepts NULL; a failed call leaves its results untouched and explains itself in `error`. Devices,
 * kernels and tensors may be used from any thread; calls on one device take turns.
 *
 * Statuses: WNN_TYPE_ERROR for arguments that do not fit the contract; WNN_NOT_SUPPORTED when no variant of
 * the pack fits the call or the device, or there is no device; WNN_DATA_ERROR for a malformed pack or a wrong
 * digest; WNN_IO_ERROR when a pack is not found; WNN_INVALID_STATE for a lost device; WNN_OPERATION_ERROR
 * for what WebGPU refuses. */
#ifndef WEBNN_WEBNN_PACK_H
#define WEBNN_WEBNN_PACK_H

#include <webnn/webnn.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Data types of packs: constant, value, name, bytes of an element. Values shared with wnn_data_type mean the
 * same type. bool elements are bytes 0 and 1. */
#define WNN_PACK_TYPE_LIST(X)        \
  X(WNN_PACK_FLOAT32, 0, "float32", 4) \
  X(WNN_PACK_FLOAT16, 1, "float16", 2) \
  X(WNN_PACK_INT32, 2, "int32", 4)     \
  X(WNN_PACK_UINT32, 3, "uint32", 4)   \
  X(WNN_PACK_INT64, 4, "int64", 8)     \
  X(WNN_PACK_INT16, 5, "int16", 2)     \
  X(WNN_PACK_INT8, 6, "int8", 1)       \
  X(WNN_PACK_UINT8, 7, "uint8", 1)     \
  X(WNN_PACK_BOOL, 8, "bool", 1)

typedef enum wnn_pack_type {
#define X(constant, value, name, bytes) constant = value,
  WNN_PACK_TYPE_LIST(X)
#undef X
} wnn_pack_type;
enum { WNN_PACK_TYPE_COUNT = 9 };

/* Data type and shape; dimensions may be 0. */
typedef struct wnn_pack_desc {
  wnn_pack_type type;
  uint32_t rank;
  uint32_t shape[WNN_MAX_RANK];
} wnn_pack_desc;

WNN_API const char *wnn_pack_type_name(wnn_pack_type type);
/* The type with a name such as "float32"; -1 when there is none. */
WNN_API int wnn_pack_type_find(const char *name);
/* Bytes of the elements; SIZE_MAX when the descriptor is not valid. */
WNN_API size_t wnn_pack_desc_bytes(const wnn_pack_desc *desc);

/* ---- Devices ------------------------------------------------------------------------------------ */

typedef struct wnn_device wnn_device;

typedef enum wnn_device_kind {
  WNN_DEVICE_AUTO = 0, /* a hardware GPU; else the processor; else (packs without a native kernel) a software GPU */
  WNN_DEVICE_CPU = 1,
  WNN_DEVICE_WEBGPU = 2
} wnn_device_kind;

typedef void (*wnn_proc)(void);

typedef struct wnn_device_options {
  wnn_device_kind kind;       /* WNN_DEVICE_CPU or WNN_DEVICE_WEBGPU; default WNN_DEVICE_WEBGPU */
  uint32_t threads;           /* of a CPU device, the caller's included; 0 (default): one a processor */
  uint64_t cpu_features;      /* of a CPU device, mask over wnn_cpu_detect(); default all bits */
  bool low_power;             /* of a WebGPU device; default false */
  bool timestamps;            /* ask for GPU timestamps; default true */
  /* The WebGPU library, with the C interface of webgpu.h. NULL: the path in WEBNN_WEBGPU_LIB, else
   * libwebgpu_wrapper.so of the npm package bun-webgpu in node_modules here or above, else by its bare name. */
  const char *webgpu_library;
  /* Resolves function names instead of a library, for a program that already has WebGPU. */
  wnn_proc (*webgpu_get_proc)(const char *name);
  /* A WGPUInstance and a WGPUDevice made by the caller, who keeps owning them. Both or neither. */
  void *webgpu_instance;
  void *webgpu_device;
  const wnn_allocator *allocator; /* copied; NULL: the C library */
} wnn_device_options;
#define WNN_DEVICE_OPTIONS_INIT {WNN_DEVICE_WEBGPU, 0, UINT64_MAX, false, true, NULL, NULL, NULL, NULL, NULL}

/* WNN_NOT_SUPPORTED without a library or an adapter. */
WNN_API wnn_status wnn_device_create(const wnn_device_options *options, wnn_device **device, wnn_error *error);
WNN_API void wnn_device_release(wnn_device *device);

typedef struct wnn_device_info {
  wnn_device_kind kind;
  const char *vendor, *architecture, *name, *description; /* UTF-8, as long as the device */
  bool software;                                          /* an adapter that computes on the processor */
  bool float16, timestamps, subgroups;
  uint32_t subgroup_min_size, subgroup_max_size; /* 0 when unknown */
  uint32_t threads;                              /* of a CPU device */
  uint64_t max_buffer_size, max_binding_size;
} wnn_device_info;
WNN_API void wnn_device_get_info(const wnn_device *device, wnn_device_info *info);
/* The WGPUInstance, WGPUDevice and WGPUQueue of a WebGPU device, else NULL; they live as long as the device. */
WNN_API void *wnn_device_webgpu_instance(const wnn_device *device);
WNN_API void *wnn_device_webgpu(const wnn_device *device);
WNN_API void *wnn_device_webgpu_queue(const wnn_device *device);

/* ---- Tensors that stay on a device ---------------------------------------------------------------- */

typedef struct wnn_pack_tensor wnn_pack_tensor;

/* Uninitialised, or with data of wnn_pack_desc_bytes(desc) bytes when data is not NULL. On a GPU narrow
 * integers take a word each, and sizes are padded to four bytes. */
WNN_API wnn_status wnn_pack_tensor_create(wnn_device *device, const wnn_pack_desc *desc, const void *data,
                                          wnn_pack_tensor **tensor, wnn_error *error);
/* Uses a WGPUBuffer of the caller, who must keep it while the tensor lives: offset and size in bytes, usage
 * with Storage (and CopySrc to be read). Elements lie as on the device. */
WNN_API wnn_status wnn_pack_tensor_wrap(wnn_device *device, const wnn_pack_desc *desc, void *webgpu_buffer,
                                        uint64_t offset, uint64_t size, wnn_pack_tensor **tensor, wnn_error *error);
WNN_API void wnn_pack_tensor_release(wnn_pack_tensor *tensor);
WNN_API const wnn_pack_desc *wnn_pack_tensor_desc(const wnn_pack_tensor *tensor);
/* The WGPUBuffer, offset and size behind a tensor; NULL on the CPU. */
WNN_API void *wnn_pack_tensor_webgpu(const wnn_pack_tensor *tensor, uint64_t *offset, uint64_t *size);
/* size must be wnn_pack_desc_bytes of the descriptor. Waits for queued work. */
WNN_API wnn_status wnn_pack_tensor_read(wnn_pack_tensor *tensor, void *data, size_t size, wnn_error *error);
WNN_API wnn_status wnn_pack_tensor_write(wnn_pack_tensor *tensor, const void *data, size_t size, wnn_error *error);

/* ---- Kernels ---------------------------------------------------------------------------------------- */

typedef struct wnn_kernel wnn_kernel;
typedef struct wnn_pack_sink wnn_pack_sink;

/* Fetches one file of a pack, such as "build/webgpu/manifest.json" of repository
 * "webgpu-kernels/ai.onnx.Add" at revision "v1": hands its bytes to wnn_pack_sink_write (any number of
 * times) and returns true, or returns false. */
typedef bool (*wnn_pack_fetch_fn)(void *user, const char *repository, const char *revision, const char *file,
                                  wnn_pack_sink *sink);
WNN_API bool wnn_pack_sink_write(wnn_pack_sink *sink, const void *data, size_t size);

/* A file of a pack that is in memory, named as in metadata.json ("metadata.json" itself included). */
typedef struct wnn_pack_file {
  const char *name;
  const void *data;
  size_t size;
} wnn_pack_file;

typedef struct wnn_kernel_options {
  int64_t version;             /* of the pack's contract, >= 0; -1 (default): none given */
  const char *revision;        /* wins over version; NULL: "v<version>" */
  const char *expected_op;     /* the op id that the pack must have; NULL: any (that of the repository) */
  const char *path;            /* folders, separated by colons, that hold packs as NAME or OWNER/NAME */
  const char *cache;           /* folder for fetched packs; NULL: the one in WEBNN_PACK_CACHE, or none */
  bool trust;                  /* accept publishers other than webgpu-kernels; default false */
  bool verify;                 /* check digests; default true */
  bool strict;                 /* an index outside its table is an error instead of clamped; default false */
  wnn_device *device;          /* kept; NULL: one of device_kind is made at first use */
  wnn_device_kind device_kind; /* default WNN_DEVICE_AUTO */
  wnn_pack_fetch_fn fetch;     /* last resort; NULL: none */
  void *fetch_user;
  const wnn_pack_file *files;  /* the pack's files, when the caller has them; nothing is searched then */
  size_t file_count;
  const wnn_allocator *allocator; /* copied; NULL: the C library */
} wnn_kernel_options;
#define WNN_KERNEL_OPTIONS_INIT \
  {-1, NULL, NULL, NULL, NULL, false, true, false, NULL, WNN_DEVICE_AUTO, NULL, NULL, NULL, 0, NULL}

/* Loads the pack of a repository "owner/name", or of a folder when the location starts with "/", "./" or
 * "../". A repository is looked for among the packs shipped with the library (in `packs` or
 * `share/webnn/packs` beside or above the library or program), in options->path, in the folders of
 * WEBNN_PACK_PATH, in the cache, and at last with options->fetch. A repository needs a version or a
 * revision. No GPU is touched. */
WNN_API wnn_status wnn_kernel_load(const char *location, const wnn_kernel_options *options, wnn_kernel **kernel, wnn_error *error);
WNN_API void wnn_kernel_release(wnn_kernel *kernel);

/* Such as "com.microsoft.EmbedLayerNormalization". */
WNN_API const char *wnn_kernel_op(const wnn_kernel *kernel);
/* The folder it came from, or "" for fetched and given files. */
WNN_API const char *wnn_kernel_location(const wnn_kernel *kernel);
/* A field of metadata.json: "id", "license", "version", "sha". "" when absent. */
WNN_API const char *wnn_kernel_metadata(const wnn_kernel *kernel, const char *field);
/* True when a native kernel can run it without a GPU. */
WNN_API bool wnn_kernel_has_cpu(const wnn_kernel *kernel);

typedef struct wnn_kernel_port {
  const char *name, *onnx, *description; /* "" when absent */
  const char *type;    /* a type or a type variable, such as "T" */
  uint32_t types;      /* mask of 1 << wnn_pack_type */
  const char *storage; /* declared type on the device, or "" */
  const char *rank, *shape; /* expressions, "" when absent */
  bool input, output;  /* both for a tensor that is updated in place */
  bool optional;
} wnn_kernel_port;
/* Ports in the manifest's order, inputs first. False past the end. */
WNN_API bool wnn_kernel_get_port(const wnn_kernel *kernel, size_t index, wnn_kernel_port *port);

typedef struct wnn_kernel_setting {
  const char *name;
  const char *kind;          /* "attribute", "tunable", or the kind of an argument: "u32", "i32", "f32", "bool", "string" */
  const char *default_value; /* as JSON, "" when there is none */
  const char *values;        /* allowed values as JSON, "" for any */
  const char *description;
  bool required;
} wnn_kernel_setting;
/* Attributes, arguments and tunables. False past the end. */
WNN_API bool wnn_kernel_get_setting(const wnn_kernel *kernel, size_t index, wnn_kernel_setting *setting);

typedef struct wnn_kernel_variant {
  const char *id, *description;
  double priority;
  uint32_t pass_count; /* as written; repeat groups count once */
} wnn_kernel_variant;
WNN_API bool wnn_kernel_get_variant(const wnn_kernel *kernel, size_t index, wnn_kernel_variant *variant);

/* ---- Calls ---------------------------------------------------------------------------------------------- */

typedef struct wnn_kernel_input {
  const char *name;
  wnn_pack_desc desc;
  const void *data;        /* wnn_pack_desc_bytes(&desc) bytes */
  wnn_pack_tensor *tensor; /* in place of desc and data */
} wnn_kernel_input;

typedef enum wnn_setting_kind { WNN_SETTING_NUMBER, WNN_SETTING_BOOL, WNN_SETTING_STRING, WNN_SETTING_NULL, WNN_SETTING_NUMBERS } wnn_setting_kind;
typedef struct wnn_setting {
  const char *name;
  wnn_setting_kind kind;
  double number; /* also of a boolean */
  const char *text;
  const double *numbers;
  uint32_t count;
} wnn_setting;

/* Asks for an optional output, or says where an output goes. Required outputs need not be listed. */
typedef struct wnn_kernel_output {
  const char *name;
  bool has_shape;          /* desc.rank and desc.shape are given: needed only for outputs without a shape rule */
  bool has_type;           /* desc.type is given: needed only where nothing else determines it */
  wnn_pack_desc desc;
  wnn_pack_tensor *tensor; /* write into it; must have the output's descriptor */
} wnn_kernel_output;

typedef struct wnn_kernel_call {
  const wnn_kernel_input *inputs;
  size_t input_count;
  const wnn_setting *attrs; /* override the manifest's defaults */
  size_t attr_count;
  const wnn_setting *args;
  size_t arg_count;
  const wnn_setting *tunables;
  size_t tunable_count;
  const wnn_kernel_output *outputs;
  size_t output_count;
  const char *variant; /* only this one; NULL: the best that fits */
  bool resident;       /* outputs stay on the device */
  bool measure;        /* fill wnn_kernel_result_time */
} wnn_kernel_call;

typedef struct wnn_kernel_value {
  const char *name;
  wnn_pack_desc desc;
  const void *data;        /* NULL for a resident result */
  size_t size;
  wnn_pack_tensor *tensor; /* NULL for a result in memory; belongs to the result */
} wnn_kernel_value;

typedef struct wnn_kernel_result wnn_kernel_result;
WNN_API void wnn_kernel_result_release(wnn_kernel_result *result);
WNN_API size_t wnn_kernel_result_count(const wnn_kernel_result *result);
WNN_API const wnn_kernel_value *wnn_kernel_result_get(const wnn_kernel_result *result, size_t index);
WNN_API const wnn_kernel_value *wnn_kernel_result_find(const wnn_kernel_result *result, const char *name);
/* Takes a resident tensor out of the result; the caller releases it. */
WNN_API wnn_pack_tensor *wnn_kernel_result_take(wnn_kernel_result *result, const char *name);
/* The variant that ran ("native" on the CPU). */
WNN_API const char *wnn_kernel_result_variant(const wnn_kernel_result *result);
/* Nanoseconds of the passes on the GPU by its own clock, or of the kernel on the CPU; 0 when not measured. */
WNN_API double wnn_kernel_result_time(const wnn_kernel_result *result);

/* Runs one call and waits for it. */
WNN_API wnn_status wnn_kernel_run(wnn_kernel *kernel, const wnn_kernel_call *call, wnn_kernel_result **result, wnn_error *error);

typedef struct wnn_kernel_item {
  wnn_kernel *kernel;
  const wnn_kernel_call *call;
} wnn_kernel_item;
/* Runs calls in order, in one submission; all kernels must be of one device. results: room for count. A later
 * call may read what an earlier one writes into a resident tensor. */
WNN_API wnn_status wnn_kernel_run_all(const wnn_kernel_item *items, size_t count, wnn_kernel_result **results, wnn_error *error);

/* Chooses the variant and compiles its shaders, as a call with these shapes would; data may be NULL. */
WNN_API wnn_status wnn_kernel_prewarm(wnn_kernel *kernel, const wnn_kernel_call *call, wnn_error *error);
/* Descriptor of an output for a call, without a device. WNN_TYPE_ERROR for an unknown or unasked output. */
WNN_API wnn_status wnn_kernel_infer(wnn_kernel *kernel, const wnn_kernel_call *call, const char *output, wnn_pack_desc *desc, wnn_error *error);
/* The WGSL of every pass that the call would run, or (explain) every variant and why it fits or does not.
 * *text is freed with wnn_pack_text_free. Without a GPU the limits that WebGPU guarantees are assumed. */
WNN_API wnn_status wnn_kernel_render(wnn_kernel *kernel, const wnn_kernel_call *call, char **text, wnn_error *error);
WNN_API wnn_status wnn_kernel_explain(wnn_kernel *kernel, const wnn_kernel_call *call, char **text, wnn_error *error);
WNN_API void wnn_pack_text_free(char *text);

/* ---- test.json and bench.json ------------------------------------------------------------------------------ */

typedef struct wnn_pack_report {
  const char *name;    /* of the case */
  const char *variant; /* that ran */
  const char *message; /* why it failed or was skipped; settings of a bench row */
  wnn_status status;   /* WNN_OK: passed */
  bool skipped;
  double largest_error; /* over all outputs, absolute */
  double kernel_ns;    /* bench: least time of one run by the device's clock */
  double call_ns;      /* bench: least time of a call with resident tensors, submission and waiting included */
  double bytes;        /* bench: read and written, each tensor once */
} wnn_pack_report;
typedef void (*wnn_pack_report_fn)(void *user, const wnn_pack_report *report);

/* Runs every case of test.json on the kernel's device. */
WNN_API wnn_status wnn_kernel_test(wnn_kernel *kernel, wnn_pack_report_fn report, void *user, wnn_error *error);
/* Runs every case of bench.json `rounds` times (0: 20); one report a case and choice of tunables. only: the
 * name of one case, or NULL. */
WNN_API wnn_status wnn_kernel_bench(wnn_kernel *kernel, uint32_t rounds, const char *only, wnn_pack_report_fn report, void *user, wnn_error *error);
/* wnn_kernel_render for a case of test.json or bench.json; NULL: the first of bench.json. variant: only this one,
 * or NULL. explain: wnn_kernel_explain instead. */
WNN_API wnn_status wnn_kernel_render_case(wnn_kernel *kernel, const char *name, const char *variant, bool explain, char **text, wnn_error *error);
/* Bandwidth of copying on the kernel's device, in bytes (read and written) a second, for the bench's table. */
WNN_API wnn_status wnn_kernel_copy_rate(wnn_kernel *kernel, size_t bytes, double *rate, wnn_error *error);

#ifdef __cplusplus
}
#endif
#endif
