/* The part of the C interface of WebGPU that computing needs: our own declarations of its binary interface.
 * Two generations of libraries are served: they differ in the instance descriptor and in the numbers of
 * features, and are told apart by the functions they export. */
#ifndef WNN_BACKEND_WEBGPU_WGPU_H
#define WNN_BACKEND_WEBGPU_WGPU_H

#include <stddef.h>
#include <stdint.h>

typedef struct wgpu_object *wgpu_handle; /* any WGPU object */

typedef struct wgpu_string {
  const char *data;
  size_t length;
} wgpu_string;
#define WGPU_LENGTH SIZE_MAX /* of a string that ends with a zero byte */
#define WGPU_ALL UINT64_MAX

typedef struct wgpu_chain {
  const struct wgpu_chain *next;
  uint32_t type;
} wgpu_chain;
typedef struct wgpu_future {
  uint64_t id;
} wgpu_future;
typedef struct wgpu_wait {
  wgpu_future future;
  uint32_t completed;
} wgpu_wait;

enum {
  WGPU_SUCCESS = 1, /* of every status */
  WGPU_WAIT_SUCCESS = 1,
  WGPU_WAIT_TIMED_OUT = 2,
  WGPU_CALLBACK_PROCESS_EVENTS = 2,
  WGPU_CALLBACK_SPONTANEOUS = 3,
  WGPU_STYPE_WGSL = 2,
  WGPU_STYPE_DAWN_TOGGLES = 0x5000A,
  WGPU_FEATURE_LEVEL_CORE = 2,
  WGPU_POWER_LOW = 1,
  WGPU_POWER_HIGH = 2,
  WGPU_BACKEND_VULKAN = 6, /* asked for by name: a library may offer a backend that computes nothing otherwise */
  WGPU_ADAPTER_CPU = 3,
  WGPU_LOST_DESTROYED = 2,
  WGPU_ERROR_NONE = 1,
  WGPU_ERROR_VALIDATION = 2,
  WGPU_ERROR_MEMORY = 3,
  WGPU_ERROR_INTERNAL = 4,
  WGPU_FILTER_VALIDATION = 1,
  WGPU_FILTER_MEMORY = 2,
  WGPU_FILTER_INTERNAL = 3,
  WGPU_USAGE_MAP_READ = 0x1,
  WGPU_USAGE_COPY_SRC = 0x4,
  WGPU_USAGE_COPY_DST = 0x8,
  WGPU_USAGE_UNIFORM = 0x40,
  WGPU_USAGE_STORAGE = 0x80,
  WGPU_USAGE_QUERY_RESOLVE = 0x200,
  WGPU_MAP_READ = 1,
  WGPU_STAGE_COMPUTE = 4,
  WGPU_BINDING_UNIFORM = 2,
  WGPU_BINDING_STORAGE = 3,
  WGPU_BINDING_READ_ONLY = 4,
  WGPU_QUERY_TIMESTAMP = 2
};

typedef struct wgpu_instance_desc {
  const wgpu_chain *next;
  union {
    struct { /* older libraries */
      const wgpu_chain *capabilities_next;
      uint32_t timed_wait_enable;
      size_t timed_wait_max;
    } old;
    struct { /* newer ones: TimedWaitAny is feature 1 */
      size_t feature_count;
      const uint32_t *features;
      const void *limits;
    } fresh;
  } as;
} wgpu_instance_desc;

typedef struct wgpu_adapter_options {
  const wgpu_chain *next;
  uint32_t feature_level, power, force_fallback, backend;
  wgpu_handle surface;
} wgpu_adapter_options;

typedef struct wgpu_callback {
  const wgpu_chain *next;
  uint32_t mode;
  void (*call)(void); /* cast to the right type */
  void *user1, *user2;
} wgpu_callback;
typedef struct wgpu_error_callback {
  const wgpu_chain *next;
  void (*call)(void);
  void *user1, *user2;
} wgpu_error_callback;

typedef void wgpu_request_fn(uint32_t status, wgpu_handle object, wgpu_string message, void *user1, void *user2);
typedef void wgpu_status_fn(uint32_t status, wgpu_string message, void *user1, void *user2);
typedef void wgpu_scope_fn(uint32_t status, uint32_t type, wgpu_string message, void *user1, void *user2);
typedef void wgpu_lost_fn(const wgpu_handle *device, uint32_t reason, wgpu_string message, void *user1, void *user2);
typedef void wgpu_uncaptured_fn(const wgpu_handle *device, uint32_t type, wgpu_string message, void *user1,
                                void *user2);

typedef struct wgpu_limits {
  const wgpu_chain *next;
  uint32_t texture_1d, texture_2d, texture_3d, texture_layers, bind_groups, bind_groups_plus_vertex, bindings_per_group;
  uint32_t dynamic_uniform, dynamic_storage, sampled_textures, samplers, storage_buffers, storage_textures,
      uniform_buffers;
  uint64_t uniform_binding_size, storage_binding_size;
  uint32_t uniform_alignment, storage_alignment, vertex_buffers;
  uint64_t buffer_size;
  uint32_t vertex_attributes, vertex_stride, inter_stage, color_attachments, color_bytes;
  uint32_t workgroup_storage, invocations, size_x, size_y, size_z, workgroups, immediate_size;
} wgpu_limits;

typedef struct wgpu_device_desc {
  const wgpu_chain *next;
  wgpu_string label;
  size_t feature_count;
  const uint32_t *features;
  const wgpu_limits *limits;
  struct {
    const wgpu_chain *next;
    wgpu_string label;
  } queue;
  wgpu_callback lost;
  wgpu_error_callback uncaptured;
} wgpu_device_desc;

typedef struct wgpu_adapter_info {
  const wgpu_chain *next;
  wgpu_string vendor, architecture, device, description;
  uint32_t backend, type, vendor_id, device_id, subgroup_min, subgroup_max;
} wgpu_adapter_info;

typedef struct wgpu_features {
  size_t count;
  const uint32_t *items;
} wgpu_features;

typedef struct wgpu_toggles {
  wgpu_chain chain;
  size_t enabled_count;
  const char *const *enabled;
  size_t disabled_count;
  const char *const *disabled;
} wgpu_toggles;

typedef struct wgpu_labelled { /* encoder, command buffer and shader module descriptors */
  const wgpu_chain *next;
  wgpu_string label;
} wgpu_labelled;
typedef struct wgpu_wgsl {
  wgpu_chain chain;
  wgpu_string code;
} wgpu_wgsl;

typedef struct wgpu_pipeline_desc {
  const wgpu_chain *next;
  wgpu_string label;
  wgpu_handle layout;
  struct {
    const wgpu_chain *next;
    wgpu_handle module;
    wgpu_string entry;
    size_t constant_count;
    const void *constants;
  } compute;
} wgpu_pipeline_desc;

typedef struct wgpu_buffer_desc {
  const wgpu_chain *next;
  wgpu_string label;
  uint64_t usage, size;
  uint32_t mapped;
} wgpu_buffer_desc;

typedef struct wgpu_bind_entry {
  const wgpu_chain *next;
  uint32_t binding;
  wgpu_handle buffer;
  uint64_t offset, size;
  wgpu_handle sampler, texture;
} wgpu_bind_entry;
typedef struct wgpu_bind_desc {
  const wgpu_chain *next;
  wgpu_string label;
  wgpu_handle layout;
  size_t entry_count;
  const wgpu_bind_entry *entries;
} wgpu_bind_desc;

typedef struct wgpu_layout_entry {
  const wgpu_chain *next;
  uint32_t binding;
  uint64_t visibility;
  uint32_t array_size;
  struct {
    const wgpu_chain *next;
    uint32_t type, dynamic;
    uint64_t min_size;
  } buffer;
  unsigned char others[64]; /* sampler, texture, storage texture: not used */
} wgpu_layout_entry;
typedef struct wgpu_layout_desc {
  const wgpu_chain *next;
  wgpu_string label;
  size_t entry_count;
  const wgpu_layout_entry *entries;
} wgpu_layout_desc;
typedef struct wgpu_pipeline_layout_desc {
  const wgpu_chain *next;
  wgpu_string label;
  size_t layout_count;
  const wgpu_handle *layouts;
  uint32_t immediate_bytes;
} wgpu_pipeline_layout_desc;

typedef struct wgpu_timestamps {
  const wgpu_chain *next;
  wgpu_handle set;
  uint32_t begin, end;
} wgpu_timestamps;
typedef struct wgpu_pass_desc {
  const wgpu_chain *next;
  wgpu_string label;
  const wgpu_timestamps *timestamps;
} wgpu_pass_desc;
typedef struct wgpu_query_desc {
  const wgpu_chain *next;
  wgpu_string label;
  uint32_t type, count;
} wgpu_query_desc;

/* The layouts were measured on LP64; a compiler that lays them out differently must not build this. */
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_instance_desc) == 32, "instance descriptor");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_adapter_options) == 32, "adapter options");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_callback) == 40, "callback info");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_error_callback) == 32, "error callback info");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_device_desc) == 144, "device descriptor");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_adapter_info) == 96, "adapter info");
_Static_assert(sizeof(void *) != 8 ||
                   (sizeof(wgpu_limits) == 152 && offsetof(wgpu_limits, uniform_binding_size) == 64 &&
                    offsetof(wgpu_limits, buffer_size) == 96 && offsetof(wgpu_limits, immediate_size) == 148),
               "limits");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_toggles) == 48, "toggles");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_wgsl) == 32, "WGSL source");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_pipeline_desc) == 80, "pipeline descriptor");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_buffer_desc) == 48, "buffer descriptor");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_bind_entry) == 56, "bind group entry");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_bind_desc) == 48, "bind group descriptor");
_Static_assert(sizeof(void *) != 8 || (sizeof(wgpu_layout_entry) == 120 && offsetof(wgpu_layout_entry, buffer) == 32),
               "layout entry");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_layout_desc) == 40, "layout descriptor");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_pipeline_layout_desc) == 48, "pipeline layout descriptor");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_pass_desc) == 32, "pass descriptor");
_Static_assert(sizeof(void *) != 8 || sizeof(wgpu_query_desc) == 32, "query set descriptor");

/* Functions: member, name behind "wgpu", result, arguments. */
#define WGPU_FUNCTIONS(X)                                                                                              \
  X(create_instance, "CreateInstance", wgpu_handle, (const wgpu_instance_desc *))                                      \
  X(instance_request_adapter, "InstanceRequestAdapter", wgpu_future,                                                   \
    (wgpu_handle, const wgpu_adapter_options *, wgpu_callback))                                                        \
  X(instance_wait_any, "InstanceWaitAny", uint32_t, (wgpu_handle, size_t, wgpu_wait *, uint64_t))                      \
  X(instance_process_events, "InstanceProcessEvents", void, (wgpu_handle))                                             \
  X(instance_release, "InstanceRelease", void, (wgpu_handle))                                                          \
  X(adapter_get_limits, "AdapterGetLimits", uint32_t, (wgpu_handle, wgpu_limits *))                                    \
  X(adapter_has_feature, "AdapterHasFeature", uint32_t, (wgpu_handle, uint32_t))                                       \
  X(adapter_get_info, "AdapterGetInfo", uint32_t, (wgpu_handle, wgpu_adapter_info *))                                  \
  X(adapter_info_free, "AdapterInfoFreeMembers", void, (wgpu_adapter_info))                                            \
  X(adapter_request_device, "AdapterRequestDevice", wgpu_future,                                                       \
    (wgpu_handle, const wgpu_device_desc *, wgpu_callback))                                                            \
  X(adapter_release, "AdapterRelease", void, (wgpu_handle))                                                            \
  X(device_get_queue, "DeviceGetQueue", wgpu_handle, (wgpu_handle))                                                    \
  X(device_get_limits, "DeviceGetLimits", uint32_t, (wgpu_handle, wgpu_limits *))                                      \
  X(device_has_feature, "DeviceHasFeature", uint32_t, (wgpu_handle, uint32_t))                                         \
  X(device_push_scope, "DevicePushErrorScope", void, (wgpu_handle, uint32_t))                                          \
  X(device_pop_scope, "DevicePopErrorScope", wgpu_future, (wgpu_handle, wgpu_callback))                                \
  X(device_create_buffer, "DeviceCreateBuffer", wgpu_handle, (wgpu_handle, const wgpu_buffer_desc *))                  \
  X(device_create_shader, "DeviceCreateShaderModule", wgpu_handle, (wgpu_handle, const wgpu_labelled *))               \
  X(device_create_layout, "DeviceCreateBindGroupLayout", wgpu_handle, (wgpu_handle, const wgpu_layout_desc *))         \
  X(device_create_pipeline_layout, "DeviceCreatePipelineLayout", wgpu_handle,                                          \
    (wgpu_handle, const wgpu_pipeline_layout_desc *))                                                                  \
  X(device_create_pipeline, "DeviceCreateComputePipeline", wgpu_handle, (wgpu_handle, const wgpu_pipeline_desc *))     \
  X(device_create_bind_group, "DeviceCreateBindGroup", wgpu_handle, (wgpu_handle, const wgpu_bind_desc *))             \
  X(device_create_encoder, "DeviceCreateCommandEncoder", wgpu_handle, (wgpu_handle, const wgpu_labelled *))            \
  X(device_create_query_set, "DeviceCreateQuerySet", wgpu_handle, (wgpu_handle, const wgpu_query_desc *))              \
  X(device_destroy, "DeviceDestroy", void, (wgpu_handle))                                                              \
  X(device_add_ref, "DeviceAddRef", void, (wgpu_handle))                                                               \
  X(device_release, "DeviceRelease", void, (wgpu_handle))                                                              \
  X(instance_add_ref, "InstanceAddRef", void, (wgpu_handle))                                                           \
  X(queue_submit, "QueueSubmit", void, (wgpu_handle, size_t, const wgpu_handle *))                                     \
  X(queue_write, "QueueWriteBuffer", void, (wgpu_handle, wgpu_handle, uint64_t, const void *, size_t))                 \
  X(queue_done, "QueueOnSubmittedWorkDone", wgpu_future, (wgpu_handle, wgpu_callback))                                 \
  X(queue_release, "QueueRelease", void, (wgpu_handle))                                                                \
  X(encoder_begin_pass, "CommandEncoderBeginComputePass", wgpu_handle, (wgpu_handle, const wgpu_pass_desc *))          \
  X(encoder_copy, "CommandEncoderCopyBufferToBuffer", void,                                                            \
    (wgpu_handle, wgpu_handle, uint64_t, wgpu_handle, uint64_t, uint64_t))                                             \
  X(encoder_clear, "CommandEncoderClearBuffer", void, (wgpu_handle, wgpu_handle, uint64_t, uint64_t))                  \
  X(encoder_resolve, "CommandEncoderResolveQuerySet", void,                                                            \
    (wgpu_handle, wgpu_handle, uint32_t, uint32_t, wgpu_handle, uint64_t))                                             \
  X(encoder_finish, "CommandEncoderFinish", wgpu_handle, (wgpu_handle, const wgpu_labelled *))                         \
  X(encoder_release, "CommandEncoderRelease", void, (wgpu_handle))                                                     \
  X(commands_release, "CommandBufferRelease", void, (wgpu_handle))                                                     \
  X(pass_set_pipeline, "ComputePassEncoderSetPipeline", void, (wgpu_handle, wgpu_handle))                              \
  X(pass_set_bind_group, "ComputePassEncoderSetBindGroup", void,                                                       \
    (wgpu_handle, uint32_t, wgpu_handle, size_t, const uint32_t *))                                                    \
  X(pass_dispatch, "ComputePassEncoderDispatchWorkgroups", void, (wgpu_handle, uint32_t, uint32_t, uint32_t))          \
  X(pass_end, "ComputePassEncoderEnd", void, (wgpu_handle))                                                            \
  X(pass_release, "ComputePassEncoderRelease", void, (wgpu_handle))                                                    \
  X(buffer_map, "BufferMapAsync", wgpu_future, (wgpu_handle, uint64_t, size_t, size_t, wgpu_callback))                 \
  X(buffer_range, "BufferGetConstMappedRange", const void *, (wgpu_handle, size_t, size_t))                            \
  X(buffer_unmap, "BufferUnmap", void, (wgpu_handle))                                                                  \
  X(buffer_destroy, "BufferDestroy", void, (wgpu_handle))                                                              \
  X(buffer_release, "BufferRelease", void, (wgpu_handle))                                                              \
  X(shader_release, "ShaderModuleRelease", void, (wgpu_handle))                                                        \
  X(layout_release, "BindGroupLayoutRelease", void, (wgpu_handle))                                                     \
  X(pipeline_layout_release, "PipelineLayoutRelease", void, (wgpu_handle))                                             \
  X(pipeline_release, "ComputePipelineRelease", void, (wgpu_handle))                                                   \
  X(bind_group_release, "BindGroupRelease", void, (wgpu_handle))                                                       \
  X(query_set_release, "QuerySetRelease", void, (wgpu_handle))

typedef struct wgpu_api {
#define X(member, name, result, args) result(*member) args;
  WGPU_FUNCTIONS(X)
#undef X
  /* not in every library: */
  uint32_t (*language_features)(wgpu_handle, wgpu_features *); /* void in newer ones */
  wgpu_handle (*device_get_adapter)(wgpu_handle);
  uint32_t (*device_get_adapter_info)(wgpu_handle, wgpu_adapter_info *);
  int fresh; /* the newer generation */
  int dawn;  /* takes Dawn's toggles */
} wgpu_api;

#endif
