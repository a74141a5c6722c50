/* Values of the pack language: what expressions and templates compute with, in an arena with limits. */
#ifndef WNN_PACKS_VALUE_H
#define WNN_PACKS_VALUE_H

#include <string.h>

#include "base/alloc.h"

/* Everything that reads or evaluates a pack works inside a vm: its memory comes from one arena, its work
 * is counted, and the first failure stops it. A hostile pack can thus neither hang nor exhaust memory.
 * Functions that can fail return an undefined value (or false) after a failure; callers that loop or
 * allocate check vm->failed. */
typedef struct pk_vm {
  wnn_arena arena;
  uint64_t steps, max_steps;
  size_t max_bytes;
  uint32_t depth;  /* of evaluation */
  uint8_t control; /* pk_control: a loop statement on its way to its loop */
  bool failed;
  wnn_status status; /* of the failure */
  char message[480];
} pk_vm;

enum {
  PK_MAX_DEPTH = 160, /* nesting of expressions, statements and JSON */
  PK_MAX_EVAL = 500   /* nesting of evaluation, calls of macros included */
};
typedef enum pk_control { PK_RUN, PK_BREAK, PK_CONTINUE } pk_control;

void pk_vm_init(pk_vm *vm, const wnn_allocator *allocator, uint64_t max_steps, size_t max_bytes);
void pk_vm_free(pk_vm *vm);
/* Records the first failure; later ones are ignored. */
void pk_fail(pk_vm *vm, wnn_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Puts "context: " in front of the message of a failure. */
void pk_context(pk_vm *vm, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Counts work; false (and a failure) when the limit is passed. */
bool pk_step(pk_vm *vm, uint64_t steps);
/* Zeroed memory; NULL and a failure when memory or the limit is short. */
void *pk_alloc(pk_vm *vm, size_t size);
void *pk_array(pk_vm *vm, size_t count, size_t size);

typedef enum pk_kind {
  PK_UNDEFINED,
  PK_NULL,
  PK_BOOL,
  PK_INT,   /* number that prints without a point; the value is a double all the same */
  PK_FLOAT, /* number that prints with one */
  PK_STRING,
  PK_LIST,
  PK_MAP,
  PK_NAMESPACE, /* map that templates may assign to */
  PK_KEYWORDS,  /* keyword arguments of a call, always last */
  PK_FUNCTION
} pk_kind;

typedef struct pk_value pk_value;
typedef struct pk_list pk_list;
typedef struct pk_map pk_map;
typedef struct pk_function pk_function;

struct pk_value {
  uint32_t kind;   /* pk_kind */
  uint32_t length; /* bytes of a string */
  union {
    double number;
    bool boolean;
    const char *text; /* of a string, terminated by a zero byte as well */
    pk_list *list;
    pk_map *map; /* also of namespaces and keywords */
    const pk_function *function;
  } as;
};

struct pk_list {
  pk_value *items;
  uint32_t count, capacity;
};

typedef struct pk_entry {
  const char *key;
  uint32_t length, hash;
  pk_value value;
} pk_entry;

/* Entries in the order of insertion, with a hash index once there are many. */
struct pk_map {
  pk_entry *entries;
  uint32_t *slots; /* entry number + 1, or NULL */
  uint32_t count, capacity, slot_count;
};

/* args: positional values, then one PK_KEYWORDS value when the call had any. */
typedef pk_value pk_builtin(pk_vm *vm, pk_value self, const pk_value *args, uint32_t count);
struct pk_function {
  const char *name;
  pk_builtin *call;  /* NULL for a macro */
  pk_value self;     /* what a method is bound to */
  const void *macro; /* statement node, evaluated by template.c */
  void *scope;       /* where a call block was written */
};

static inline pk_value pk_undefined(void) { return (pk_value){.kind = PK_UNDEFINED}; }
static inline pk_value pk_null(void) { return (pk_value){.kind = PK_NULL}; }
static inline pk_value pk_bool(bool b) { return (pk_value){.kind = PK_BOOL, .as.boolean = b}; }
static inline pk_value pk_int(double n) { return (pk_value){.kind = PK_INT, .as.number = n}; }
static inline pk_value pk_float(double n) { return (pk_value){.kind = PK_FLOAT, .as.number = n}; }
static inline bool pk_is_number(pk_value v) { return v.kind == PK_INT || v.kind == PK_FLOAT; }
static inline bool pk_is_integer(pk_value v) {
  return pk_is_number(v) && v.as.number >= -9007199254740991.0 && v.as.number <= 9007199254740991.0 &&
         v.as.number == (double)(int64_t)v.as.number;
}
static inline bool pk_is_map(pk_value v) { return v.kind == PK_MAP || v.kind == PK_NAMESPACE; }

/* A number as a fresh value: whole ones are integers. */
pk_value pk_number(double n);
/* Text that is copied, or (static) used where it is. */
pk_value pk_string(pk_vm *vm, const char *text, size_t length);
pk_value pk_static(const char *text);
static inline bool pk_equals(pk_value v, const char *text) {
  return v.kind == PK_STRING && strlen(text) == v.length && memcmp(v.as.text, text, v.length) == 0;
}

pk_value pk_list_new(pk_vm *vm, uint32_t capacity);
bool pk_list_push(pk_vm *vm, pk_list *list, pk_value value);
pk_value pk_list_of_u32(pk_vm *vm, const uint32_t *items, uint32_t count);

pk_value pk_map_new(pk_vm *vm);
/* key is not copied and must live as long as the map. */
bool pk_map_set(pk_vm *vm, pk_map *map, const char *key, size_t length, pk_value value);
bool pk_map_put(pk_vm *vm, pk_map *map, const char *key, pk_value value);
const pk_value *pk_map_get(const pk_map *map, const char *key, size_t length);
static inline const pk_value *pk_map_find(const pk_map *map, const char *key) {
  return pk_map_get(map, key, strlen(key));
}

/* Same value after leaving and re-entering the language: floats without a fraction become integers. */
pk_value pk_normalize(pk_vm *vm, pk_value value);
bool pk_truthy(pk_value value);
const char *pk_kind_name(pk_value value);

/* Growing text. */
typedef struct pk_text {
  char *data;
  size_t length, capacity;
} pk_text;
bool pk_text_add(pk_vm *vm, pk_text *text, const char *data, size_t length);
bool pk_text_puts(pk_vm *vm, pk_text *text, const char *data);
bool pk_text_printf(pk_vm *vm, pk_text *text, const char *format, ...) __attribute__((format(printf, 3, 4)));
pk_value pk_text_value(pk_vm *vm, pk_text *text);

/* Writes a number as JavaScript does (shortest digits that read back the same). */
enum { PK_NUMBER_TEXT = 32 };
size_t pk_number_format(double n, char text[PK_NUMBER_TEXT]);
/* What {{ value }} prints. */
bool pk_print(pk_vm *vm, pk_text *text, pk_value value);
/* JSON, as the filter tojson writes it; undefined members as `undefined_text`. */
typedef struct pk_json_style {
  uint32_t indent;
  bool ascii, sort;
  const char *item, *colon; /* separators, NULL for the default */
  const char *undefined_text;
} pk_json_style;
bool pk_print_json(pk_vm *vm, pk_text *text, pk_value value, const pk_json_style *style, uint32_t depth);
/* A short quotation of a value for messages. */
const char *pk_show(pk_vm *vm, pk_value value);

#endif
