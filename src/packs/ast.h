/* Expressions and templates as trees, their reader, and their evaluation. */
#ifndef WNN_PACKS_AST_H
#define WNN_PACKS_AST_H

#include "packs/value.h"

typedef enum pk_token_kind {
  PK_T_END,
  PK_T_TEXT,
  PK_T_OPEN_STATEMENT,  /* {% */
  PK_T_CLOSE_STATEMENT, /* %} */
  PK_T_OPEN_PRINT,      /* {{ */
  PK_T_CLOSE_PRINT,     /* }} */
  PK_T_NUMBER,
  PK_T_STRING,
  PK_T_NAME,
  PK_T_MARK /* punctuation and operators: mark holds up to two characters */
} pk_token_kind;

typedef struct pk_token {
  uint8_t kind; /* pk_token_kind */
  bool is_float;
  char mark[3];
  uint32_t line;
  pk_value value; /* text, string or name; number */
} pk_token;

typedef enum pk_node_kind {
  PK_N_LITERAL,      /* value */
  PK_N_NAME,         /* value: the name */
  PK_N_LIST,         /* items */
  PK_N_TUPLE,        /* items */
  PK_N_MAP,          /* items: key, value, key, value ... */
  PK_N_MEMBER,       /* a.name (value) or a[b] (b) */
  PK_N_SLICE,        /* a[items[0] : items[1] : items[2]], absent ones NULL */
  PK_N_CALL,         /* a(items) */
  PK_N_KEYWORD,      /* value = a, an argument or a parameter with a default */
  PK_N_SPREAD,       /* *a */
  PK_N_SPREAD_MAP,   /* **a */
  PK_N_BINARY,       /* op, a, b */
  PK_N_UNARY,        /* op, a */
  PK_N_TERNARY,      /* a if b else c; c NULL for undefined */
  PK_N_FILTER,       /* a | value(items) */
  PK_N_TEST,         /* a is [not] value */
  PK_N_TEXT,         /* value */
  PK_N_PRINT,        /* a */
  PK_N_SET,          /* a = b, or a = text of items */
  PK_N_IF,           /* a: items, else: other */
  PK_N_FOR,          /* a in b (if c): items, else: other */
  PK_N_MACRO,        /* value: name, params: other, items */
  PK_N_CALL_BLOCK,   /* a: the call, other: params, items */
  PK_N_FILTER_BLOCK, /* a: filter node without operand, items */
  PK_N_BREAK,
  PK_N_CONTINUE
} pk_node_kind;

typedef enum pk_op {
  PK_OP_OR,
  PK_OP_AND,
  PK_OP_NOT,
  PK_OP_EQ,
  PK_OP_NE,
  PK_OP_LT,
  PK_OP_GT,
  PK_OP_LE,
  PK_OP_GE,
  PK_OP_IN,
  PK_OP_NOT_IN,
  PK_OP_ADD,
  PK_OP_SUB,
  PK_OP_CONCAT,
  PK_OP_MUL,
  PK_OP_DIV,
  PK_OP_FLOOR_DIV,
  PK_OP_MOD,
  PK_OP_POW
} pk_op;

typedef struct pk_node pk_node;
struct pk_node {
  uint8_t kind;   /* pk_node_kind */
  uint8_t op;     /* pk_op */
  bool flag;      /* TEST: negated; MEMBER: computed; FILTER: called with parentheses */
  uint16_t depth; /* of the tree below, so that evaluation may recurse */
  uint32_t line;
  uint32_t item_count, other_count;
  pk_value value;
  pk_node *a, *b, *c;
  pk_node **items, **other;
};

/* Reads source into tokens, the last of kind PK_T_END. */
pk_token *pk_lex(pk_vm *vm, const char *source, size_t length, bool template, uint32_t *count);

typedef struct pk_template {
  pk_node **body;
  uint32_t count;
} pk_template;
/* Lives in the vm's arena. */
bool pk_parse_template(pk_vm *vm, const char *source, size_t length, pk_template *template);

/* An expression with the names it needs from its scope. */
typedef struct pk_expr {
  const char *source;
  const pk_node *root;
  pk_value *names; /* strings; the first free_count must exist, the others are only asked about */
  uint32_t free_count, name_count;
} pk_expr;
const pk_expr *pk_parse_expr(pk_vm *vm, const char *source, size_t length);

/* Where names that the program itself has not set are looked up. */
typedef struct pk_source {
  bool (*lookup)(void *user, const char *name, size_t length, pk_value *value);
  void *user;
} pk_source;

/* The value of an expression, normalised; fails when a free name is unknown. */
pk_value pk_eval_expr(pk_vm *vm, const pk_expr *expr, const pk_source *source);
/* Renders a template; range, namespace and raise_exception exist besides the source's names. */
pk_value pk_render(pk_vm *vm, const pk_template *template, const pk_source *source);

/* ---- Between eval.c, statement.c, filter.c and helper.c ------------------------------------------ */

typedef struct pk_scope {
  const struct pk_scope *parent;
  pk_map vars;
  const pk_source *source; /* where the outermost scope looks further */
} pk_scope;

pk_scope *pk_scope_new(pk_vm *vm, const pk_scope *parent);
/* Renders statements behind text; stops early when vm->control is set. */
bool pk_render_block(pk_vm *vm, pk_node *const *body, uint32_t count, pk_scope *scope, pk_text *text);

pk_value pk_eval(pk_vm *vm, const pk_node *node, pk_scope *scope);
pk_value pk_call(pk_vm *vm, pk_value function, const pk_value *args, uint32_t count, pk_scope *scope);
/* Evaluates call arguments: positional ones, then one PK_KEYWORDS value if there are any keywords. */
pk_list *pk_eval_args(pk_vm *vm, pk_node *const *items, uint32_t count, pk_scope *scope);
pk_value pk_call_macro(pk_vm *vm, const pk_function *macro, const pk_value *args, uint32_t count, pk_scope *scope);
pk_value pk_apply_filter(pk_vm *vm, pk_value value, const pk_node *filter, pk_scope *scope);
bool pk_apply_test(pk_vm *vm, pk_value value, const char *name, size_t length, const pk_value *argument);
/* Method or property of a value, undefined when there is none. */
pk_value pk_method(pk_vm *vm, pk_value value, const char *name, size_t length);
/* A helper function of the manifest language by name, undefined when there is none. */
pk_value pk_helper(pk_vm *vm, const char *name, size_t length);
pk_value pk_builtin_value(pk_vm *vm, const char *name, pk_builtin *call, pk_value self);
/* Order of two values as sort uses it; fails for kinds that have none. */
int pk_compare(pk_vm *vm, pk_value a, pk_value b, bool case_sensitive);
/* The comparison == of two values (identity for lists and maps). */
bool pk_same(pk_value a, pk_value b);
const pk_value *pk_keyword(const pk_value *args, uint32_t count, const char *name);
/* Number of positional arguments. */
uint32_t pk_positional(const pk_value *args, uint32_t count);
/* First position of a text in another, or -1; counts the work. */
int64_t pk_search(pk_vm *vm, const char *text, size_t length, const char *part, size_t part_length, size_t from);

#endif
