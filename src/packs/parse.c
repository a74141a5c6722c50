/* Reader of the pack language, part two: tokens into trees. */
#include "packs/ast.h"

typedef struct parser {
  pk_vm *vm;
  const pk_token *tokens;
  uint32_t at, count;
  uint32_t depth;
} parser;

/* Trees deeper than this are refused; evaluation recurses as deep as the tree. */
enum { MAX_TREE = 400 };

typedef struct node_list {
  pk_node **items;
  uint32_t count, capacity;
} node_list;

static pk_node *parse_expression(parser *p);
static bool parse_block(parser *p, node_list *body, const char *const *ends);

/* ---- Tokens ----------------------------------------------------------------------------------------- */

static const pk_token *peek(const parser *p, uint32_t ahead) {
  uint32_t at = p->at + ahead;
  return &p->tokens[at < p->count ? at : p->count - 1];
}
static const pk_token *next(parser *p) {
  const pk_token *token = peek(p, 0);
  if (p->at + 1 < p->count) p->at++;
  return token;
}
static bool is_mark(const parser *p, uint32_t ahead, const char *mark) {
  const pk_token *token = peek(p, ahead);
  return token->kind == PK_T_MARK && !strcmp(token->mark, mark);
}
static bool is_name(const parser *p, uint32_t ahead, const char *name) {
  const pk_token *token = peek(p, ahead);
  return token->kind == PK_T_NAME && pk_equals(token->value, name);
}
static bool accept_mark(parser *p, const char *mark) { return is_mark(p, 0, mark) ? (next(p), true) : false; }
static bool accept_name(parser *p, const char *name) { return is_name(p, 0, name) ? (next(p), true) : false; }

static const char *describe(const pk_token *token) {
  switch ((pk_token_kind)token->kind) {
  case PK_T_END: return "the end";
  case PK_T_TEXT: return "text";
  case PK_T_OPEN_STATEMENT: return "{%";
  case PK_T_CLOSE_STATEMENT: return "%}";
  case PK_T_OPEN_PRINT: return "{{";
  case PK_T_CLOSE_PRINT: return "}}";
  case PK_T_NUMBER: return "a number";
  case PK_T_STRING: return "a string";
  case PK_T_NAME: return token->value.as.text ? token->value.as.text : "a name";
  case PK_T_MARK: return token->mark;
  }
  return "?";
}

static void fail_expected(parser *p, const char *what) {
  pk_fail(p->vm, WNN_DATA_ERROR, "line %u: expected %s, got %.60s", peek(p, 0)->line, what, describe(peek(p, 0)));
}
static bool expect_mark(parser *p, const char *mark) {
  if (accept_mark(p, mark)) return true;
  fail_expected(p, mark);
  return false;
}
static bool expect_kind(parser *p, pk_token_kind kind, const char *what) {
  if (peek(p, 0)->kind == kind) return next(p), true;
  fail_expected(p, what);
  return false;
}

/* ---- Nodes ------------------------------------------------------------------------------------------- */

static pk_node *new_node(parser *p, pk_node_kind kind) {
  pk_node *node = pk_alloc(p->vm, sizeof *node);
  if (!node) return NULL;
  node->kind = (uint8_t)kind;
  node->line = peek(p, 0)->line;
  return node;
}

static bool push(parser *p, node_list *list, pk_node *node) {
  if (p->vm->failed) return false;
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity ? list->capacity * 2 : 4;
    pk_node **items = pk_array(p->vm, capacity, sizeof(pk_node *));
    if (!items) return false;
    if (list->count) memcpy(items, list->items, list->count * sizeof(pk_node *));
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = node;
  return true;
}

static uint32_t depth_of(const pk_node *node) { return node ? node->depth : 0; }

/* Completes a node: its depth is known once its children are. */
static pk_node *seal(parser *p, pk_node *node) {
  if (p->vm->failed || !node) return NULL;
  uint32_t depth = depth_of(node->a);
  if (depth_of(node->b) > depth) depth = depth_of(node->b);
  if (depth_of(node->c) > depth) depth = depth_of(node->c);
  for (uint32_t i = 0; i < node->item_count; i++)
    if (depth_of(node->items[i]) > depth) depth = depth_of(node->items[i]);
  for (uint32_t i = 0; i < node->other_count; i++)
    if (depth_of(node->other[i]) > depth) depth = depth_of(node->other[i]);
  if (depth + 1 > MAX_TREE) {
    pk_fail(p->vm, WNN_DATA_ERROR, "line %u: nested too deeply", node->line);
    return NULL;
  }
  node->depth = (uint16_t)(depth + 1);
  return node;
}

static void set_items(pk_node *node, node_list list) {
  node->items = list.items;
  node->item_count = list.count;
}

/* ---- Expressions -------------------------------------------------------------------------------------- */

/* Arguments of a call, or parameters of a macro, after the opening parenthesis. */
static bool parse_arguments(parser *p, node_list *list, bool parameters) {
  bool keyword_seen = false, spread_seen = false;
  while (!p->vm->failed && !is_mark(p, 0, ")")) {
    uint32_t line = peek(p, 0)->line;
    pk_node *argument = NULL;
    bool both = is_mark(p, 0, "**"), one = is_mark(p, 0, "*");
    if (parameters && (both || one)) {
      pk_fail(p->vm, WNN_DATA_ERROR, "line %u: parameters cannot be unpacked", line);
      return false;
    }
    if (both || one) {
      argument = new_node(p, both ? PK_N_SPREAD_MAP : PK_N_SPREAD);
      next(p);
      if (one && spread_seen) {
        pk_fail(p->vm, WNN_DATA_ERROR, "line %u: only one * argument is allowed", line);
        return false;
      }
      if (one) spread_seen = true;
      pk_node *operand = parse_expression(p);
      if (!argument || !operand) return false;
      argument->a = operand;
    } else {
      argument = parse_expression(p);
      if (!argument) return false;
      if (is_mark(p, 0, "=")) {
        if (argument->kind != PK_N_NAME) return fail_expected(p, "a name before ="), false;
        next(p);
        argument->kind = PK_N_KEYWORD;
        argument->a = parse_expression(p);
        keyword_seen = true;
      } else if (keyword_seen || spread_seen) {
        pk_fail(p->vm, WNN_DATA_ERROR, "line %u: a positional argument must come before named ones", line);
        return false;
      } else if (parameters && argument->kind != PK_N_NAME) {
        return fail_expected(p, "a parameter name"), false;
      }
    }
    if (parameters)
      for (uint32_t i = 0; i < list->count; i++)
        if (pk_equals(list->items[i]->value, argument->value.as.text)) {
          pk_fail(p->vm, WNN_DATA_ERROR, "line %u: parameter %s is named twice", line, argument->value.as.text);
          return false;
        }
    if (!push(p, list, seal(p, argument))) return false;
    if (!accept_mark(p, ",") || both) break;
  }
  return expect_mark(p, ")");
}

/* Comma-separated expressions as one node: a tuple when there is a comma. */
static pk_node *parse_tuple(parser *p) {
  pk_node *first = parse_expression(p);
  if (!first || !is_mark(p, 0, ",")) return first;
  node_list list = {0};
  push(p, &list, first);
  while (!p->vm->failed && accept_mark(p, ",")) {
    const pk_token *token = peek(p, 0);
    if (token->kind == PK_T_CLOSE_STATEMENT || is_mark(p, 0, ")") || is_mark(p, 0, "=")) break;
    push(p, &list, parse_expression(p));
  }
  pk_node *tuple = new_node(p, PK_N_TUPLE);
  if (!tuple) return NULL;
  set_items(tuple, list);
  return seal(p, tuple);
}

static pk_node *parse_primary(parser *p) {
  const pk_token *token = peek(p, 0);
  if (token->kind == PK_T_NUMBER || token->kind == PK_T_STRING || token->kind == PK_T_NAME) {
    pk_node *node = new_node(p, token->kind == PK_T_NAME ? PK_N_NAME : PK_N_LITERAL);
    next(p);
    if (!node) return NULL;
    node->value = token->value;
    if (token->kind == PK_T_STRING && peek(p, 0)->kind == PK_T_STRING) { /* adjacent strings are one */
      pk_text text = {0};
      pk_text_add(p->vm, &text, token->value.as.text, token->value.length);
      while (peek(p, 0)->kind == PK_T_STRING && !p->vm->failed) {
        const pk_token *more = next(p);
        pk_text_add(p->vm, &text, more->value.as.text, more->value.length);
      }
      node->value = pk_text_value(p->vm, &text);
    }
    return seal(p, node);
  }
  if (accept_mark(p, "(")) {
    pk_node *node = is_mark(p, 0, ")") ? seal(p, new_node(p, PK_N_TUPLE)) : parse_tuple(p);
    return node && expect_mark(p, ")") ? node : NULL;
  }
  if (accept_mark(p, "[")) {
    node_list list = {0};
    while (!p->vm->failed && !is_mark(p, 0, "]")) {
      push(p, &list, parse_expression(p));
      if (!accept_mark(p, ",")) break;
    }
    if (!expect_mark(p, "]")) return NULL;
    pk_node *node = new_node(p, PK_N_LIST);
    if (!node) return NULL;
    set_items(node, list);
    return seal(p, node);
  }
  if (accept_mark(p, "{")) {
    node_list list = {0};
    while (!p->vm->failed && !is_mark(p, 0, "}")) {
      push(p, &list, parse_expression(p));
      if (!expect_mark(p, ":")) return NULL;
      push(p, &list, parse_expression(p));
      if (!accept_mark(p, ",")) break;
    }
    if (!expect_mark(p, "}")) return NULL;
    pk_node *node = new_node(p, PK_N_MAP);
    if (!node) return NULL;
    set_items(node, list);
    return seal(p, node);
  }
  fail_expected(p, "a value");
  return NULL;
}

/* What stands in brackets: an index or up to three parts of a slice. */
static pk_node *parse_index(parser *p, pk_node *object) {
  pk_node *parts[3] = {NULL, NULL, NULL};
  uint32_t part = 0;
  bool slice = false;
  while (!p->vm->failed && !is_mark(p, 0, "]")) {
    if (accept_mark(p, ":")) {
      slice = true;
      if (++part > 2) return fail_expected(p, "at most three parts in a slice"), NULL;
      continue;
    }
    if (parts[part]) break;
    parts[part] = parse_expression(p);
  }
  if (!expect_mark(p, "]")) return NULL;
  pk_node *node = new_node(p, slice ? PK_N_SLICE : PK_N_MEMBER);
  if (!node) return NULL;
  node->a = object;
  if (!slice) {
    if (!parts[0]) return fail_expected(p, "an index"), NULL;
    node->b = parts[0];
    node->flag = true;
    return seal(p, node);
  }
  node->items = pk_array(p->vm, 3, sizeof(pk_node *));
  if (!node->items) return NULL;
  memcpy(node->items, parts, sizeof parts);
  node->item_count = 3;
  return seal(p, node);
}

static pk_node *parse_postfix(parser *p) {
  pk_node *node = parse_primary(p);
  while (node && !p->vm->failed) {
    if (accept_mark(p, ".")) {
      const pk_token *token = next(p);
      bool index = token->kind == PK_T_NUMBER && !token->is_float;
      if (token->kind != PK_T_NAME && !index) return fail_expected(p, "a member name"), NULL;
      pk_node *member = new_node(p, PK_N_MEMBER);
      if (!member) return NULL;
      member->a = node;
      member->value = token->value;
      node = seal(p, member);
    } else if (accept_mark(p, "[")) {
      node = parse_index(p, node);
    } else if (accept_mark(p, "(")) {
      pk_node *call = new_node(p, PK_N_CALL);
      node_list list = {0};
      if (!call || !parse_arguments(p, &list, false)) return NULL;
      call->a = node;
      set_items(call, list);
      node = seal(p, call);
    } else {
      break;
    }
  }
  return node;
}

/* The name and arguments of a filter, without its operand. */
static pk_node *parse_filter(parser *p) {
  if (peek(p, 0)->kind != PK_T_NAME) return fail_expected(p, "a filter name"), NULL;
  pk_node *filter = new_node(p, PK_N_FILTER);
  if (!filter) return NULL;
  filter->value = next(p)->value;
  if (accept_mark(p, "(")) {
    node_list list = {0};
    if (!parse_arguments(p, &list, false)) return NULL;
    set_items(filter, list);
    filter->flag = true;
  }
  return filter;
}

/* Signs bind closest, then filters, then tests. */
static pk_node *parse_unary(parser *p) {
  if (++p->depth > PK_MAX_DEPTH) {
    pk_fail(p->vm, WNN_DATA_ERROR, "line %u: nested too deeply", peek(p, 0)->line);
    return NULL;
  }
  pk_node *node;
  if (is_mark(p, 0, "-") || is_mark(p, 0, "+")) {
    bool negative = is_mark(p, 0, "-");
    pk_node *sign = new_node(p, PK_N_UNARY);
    next(p);
    pk_node *operand = parse_unary(p);
    if (!sign || !operand) return NULL;
    sign->op = negative ? PK_OP_SUB : PK_OP_ADD;
    sign->a = operand;
    p->depth--;
    return seal(p, sign); /* filters and tests were taken by the operand, which binds the same way */
  }
  node = parse_postfix(p);
  p->depth--;
  return node;
}

static pk_node *parse_tested(parser *p) {
  pk_node *node = parse_unary(p);
  while (node && !p->vm->failed && accept_mark(p, "|")) {
    pk_node *filter = parse_filter(p);
    if (!filter) return NULL;
    filter->a = node;
    node = seal(p, filter);
  }
  while (node && !p->vm->failed && accept_name(p, "is")) {
    pk_node *test = new_node(p, PK_N_TEST);
    if (!test) return NULL;
    test->flag = accept_name(p, "not");
    if (peek(p, 0)->kind != PK_T_NAME) return fail_expected(p, "the name of a test"), NULL;
    test->value = next(p)->value;
    test->a = node;
    node = seal(p, test);
  }
  return node;
}

enum { LEVEL_OR, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_ADD, LEVEL_MULTIPLY, LEVEL_POWER, LEVEL_OPERAND };

/* The operator at the parser's place if it is of the level; *tokens: how many it takes. */
static int operator_at(const parser *p, int level, uint32_t *tokens) {
  static const struct {
    const char *mark;
    int level;
    pk_op op;
  } marks[] = {
      {"==", LEVEL_COMPARE, PK_OP_EQ},  {"!=", LEVEL_COMPARE, PK_OP_NE},  {"<=", LEVEL_COMPARE, PK_OP_LE},
      {">=", LEVEL_COMPARE, PK_OP_GE},  {"<", LEVEL_COMPARE, PK_OP_LT},   {">", LEVEL_COMPARE, PK_OP_GT},
      {"+", LEVEL_ADD, PK_OP_ADD},      {"-", LEVEL_ADD, PK_OP_SUB},      {"~", LEVEL_ADD, PK_OP_CONCAT},
      {"*", LEVEL_MULTIPLY, PK_OP_MUL}, {"/", LEVEL_MULTIPLY, PK_OP_DIV}, {"//", LEVEL_MULTIPLY, PK_OP_FLOOR_DIV},
      {"%", LEVEL_MULTIPLY, PK_OP_MOD}, {"**", LEVEL_POWER, PK_OP_POW}};
  *tokens = 1;
  if (peek(p, 0)->kind == PK_T_MARK) {
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
      if (marks[i].level == level && !strcmp(peek(p, 0)->mark, marks[i].mark)) return marks[i].op;
    return -1;
  }
  if (level == LEVEL_OR && is_name(p, 0, "or")) return PK_OP_OR;
  if (level == LEVEL_AND && is_name(p, 0, "and")) return PK_OP_AND;
  if (level == LEVEL_COMPARE && is_name(p, 0, "in")) return PK_OP_IN;
  if (level == LEVEL_COMPARE && is_name(p, 0, "not") && is_name(p, 1, "in")) {
    *tokens = 2;
    return PK_OP_NOT_IN;
  }
  return -1;
}

static pk_node *parse_level(parser *p, int level) {
  if (level == LEVEL_OPERAND) return parse_tested(p);
  if (level == LEVEL_NOT) {
    if (!is_name(p, 0, "not")) return parse_level(p, LEVEL_COMPARE);
    if (++p->depth > PK_MAX_DEPTH) {
      pk_fail(p->vm, WNN_DATA_ERROR, "line %u: nested too deeply", peek(p, 0)->line);
      return NULL;
    }
    pk_node *node = new_node(p, PK_N_UNARY);
    next(p);
    pk_node *operand = parse_level(p, LEVEL_NOT);
    if (!node || !operand) return NULL;
    node->op = PK_OP_NOT;
    node->a = operand;
    p->depth--;
    return seal(p, node);
  }
  pk_node *left = parse_level(p, level + 1);
  while (left && !p->vm->failed) {
    uint32_t tokens;
    int op = operator_at(p, level, &tokens);
    if (op < 0) break;
    pk_node *node = new_node(p, PK_N_BINARY);
    while (tokens--) next(p);
    pk_node *right = parse_level(p, level + 1);
    if (!node || !right) return NULL;
    node->op = (uint8_t)op;
    node->a = left;
    node->b = right;
    left = seal(p, node);
  }
  return left;
}

static pk_node *parse_expression(parser *p) {
  if (!pk_step(p->vm, 1)) return NULL;
  if (++p->depth > PK_MAX_DEPTH) {
    pk_fail(p->vm, WNN_DATA_ERROR, "line %u: nested too deeply", peek(p, 0)->line);
    return NULL;
  }
  pk_node *node = parse_level(p, LEVEL_OR);
  if (node && is_name(p, 0, "if")) {
    pk_node *ternary = new_node(p, PK_N_TERNARY);
    next(p);
    pk_node *condition = parse_level(p, LEVEL_OR);
    if (!ternary || !condition) return NULL;
    ternary->a = node;
    ternary->b = condition;
    if (accept_name(p, "else")) {
      ternary->c = parse_expression(p);
      if (!ternary->c) return NULL;
    }
    node = seal(p, ternary);
  }
  p->depth--;
  return node;
}

/* ---- Statements ----------------------------------------------------------------------------------------- */

static bool at_statement(const parser *p, const char *name) {
  return peek(p, 0)->kind == PK_T_OPEN_STATEMENT && is_name(p, 1, name);
}

/* `{% name %}` */
static bool expect_end(parser *p, const char *name) {
  if (!at_statement(p, name)) return fail_expected(p, name), false;
  next(p);
  next(p);
  return expect_kind(p, PK_T_CLOSE_STATEMENT, "%}");
}

static pk_node *parse_set(parser *p) {
  static const char *const ends[] = {"endset", NULL};
  pk_node *node = new_node(p, PK_N_SET);
  pk_node *target = parse_tuple(p);
  if (!node || !target) return NULL;
  node->a = target;
  bool good = target->kind == PK_N_NAME || target->kind == PK_N_TUPLE || (target->kind == PK_N_MEMBER && !target->flag);
  if (!good) return fail_expected(p, "a name to set"), NULL;
  for (uint32_t i = 0; target->kind == PK_N_TUPLE && i < target->item_count; i++)
    if (target->items[i]->kind != PK_N_NAME) return fail_expected(p, "names to set"), NULL;
  if (accept_mark(p, "=")) {
    node->b = parse_tuple(p);
    if (!node->b || !expect_kind(p, PK_T_CLOSE_STATEMENT, "%}")) return NULL;
    return seal(p, node);
  }
  node_list body = {0};
  if (!expect_kind(p, PK_T_CLOSE_STATEMENT, "%} or =") || !parse_block(p, &body, ends) || !expect_end(p, "endset"))
    return NULL;
  set_items(node, body);
  return seal(p, node);
}

/* Everything from the condition on; elif is an if in the other branch, closed by the same endif. */
static pk_node *parse_if(parser *p) {
  static const char *const ends[] = {"elif", "else", "endif", NULL}, *const last[] = {"endif", NULL};
  if (++p->depth > PK_MAX_DEPTH) {
    pk_fail(p->vm, WNN_DATA_ERROR, "line %u: nested too deeply", peek(p, 0)->line);
    return NULL;
  }
  pk_node *node = new_node(p, PK_N_IF);
  pk_node *condition = parse_expression(p);
  node_list body = {0}, other = {0};
  if (!node || !condition || !expect_kind(p, PK_T_CLOSE_STATEMENT, "%}") || !parse_block(p, &body, ends)) return NULL;
  node->a = condition;
  if (at_statement(p, "elif")) {
    next(p);
    next(p);
    push(p, &other, parse_if(p));
  } else {
    if (at_statement(p, "else")) {
      next(p);
      next(p);
      if (!expect_kind(p, PK_T_CLOSE_STATEMENT, "%}") || !parse_block(p, &other, last)) return NULL;
    }
    if (!expect_end(p, "endif")) return NULL;
  }
  set_items(node, body);
  node->other = other.items;
  node->other_count = other.count;
  p->depth--;
  return seal(p, node);
}

static pk_node *parse_for(parser *p) {
  static const char *const ends[] = {"endfor", "else", NULL}, *const last[] = {"endfor", NULL};
  pk_node *node = new_node(p, PK_N_FOR);
  node_list names = {0}, body = {0}, other = {0};
  do {
    if (peek(p, 0)->kind != PK_T_NAME) return fail_expected(p, "a loop variable"), NULL;
    push(p, &names, parse_primary(p));
  } while (!p->vm->failed && accept_mark(p, ","));
  if (!node || p->vm->failed) return NULL;
  if (names.count == 1) {
    node->a = names.items[0];
  } else {
    node->a = new_node(p, PK_N_TUPLE);
    if (!node->a) return NULL;
    set_items(node->a, names);
    node->a = seal(p, node->a);
  }
  if (!accept_name(p, "in")) return fail_expected(p, "in"), NULL;
  pk_node *iterable = parse_expression(p);
  if (!iterable) return NULL;
  if (iterable->kind == PK_N_TERNARY && !iterable->c) { /* `x if y`: y chooses among the items */
    node->b = iterable->a;
    node->c = iterable->b;
  } else {
    node->b = iterable;
  }
  if (!expect_kind(p, PK_T_CLOSE_STATEMENT, "%}") || !parse_block(p, &body, ends)) return NULL;
  if (at_statement(p, "else")) {
    next(p);
    next(p);
    if (!expect_kind(p, PK_T_CLOSE_STATEMENT, "%}") || !parse_block(p, &other, last)) return NULL;
  }
  if (!expect_end(p, "endfor")) return NULL;
  set_items(node, body);
  node->other = other.items;
  node->other_count = other.count;
  return seal(p, node);
}

static pk_node *parse_macro(parser *p) {
  static const char *const ends[] = {"endmacro", NULL};
  pk_node *node = new_node(p, PK_N_MACRO);
  if (peek(p, 0)->kind != PK_T_NAME) return fail_expected(p, "the name of a macro"), NULL;
  if (node) node->value = next(p)->value;
  node_list parameters = {0}, body = {0};
  if (!node || !expect_mark(p, "(") || !parse_arguments(p, &parameters, true) ||
      !expect_kind(p, PK_T_CLOSE_STATEMENT, "%}") || !parse_block(p, &body, ends) || !expect_end(p, "endmacro"))
    return NULL;
  set_items(node, body);
  node->other = parameters.items;
  node->other_count = parameters.count;
  return seal(p, node);
}

static pk_node *parse_call_block(parser *p) {
  static const char *const ends[] = {"endcall", NULL};
  pk_node *node = new_node(p, PK_N_CALL_BLOCK);
  node_list parameters = {0}, body = {0};
  if (accept_mark(p, "(") && !parse_arguments(p, &parameters, true)) return NULL;
  pk_node *call = parse_postfix(p);
  if (!node || !call) return NULL;
  if (call->kind != PK_N_CALL) return fail_expected(p, "a call"), NULL;
  if (!expect_kind(p, PK_T_CLOSE_STATEMENT, "%}") || !parse_block(p, &body, ends) || !expect_end(p, "endcall"))
    return NULL;
  node->a = call;
  set_items(node, body);
  node->other = parameters.items;
  node->other_count = parameters.count;
  return seal(p, node);
}

static pk_node *parse_filter_block(parser *p) {
  static const char *const ends[] = {"endfilter", NULL};
  pk_node *node = new_node(p, PK_N_FILTER_BLOCK);
  pk_node *filter = parse_filter(p);
  node_list body = {0};
  if (!node || !filter || !expect_kind(p, PK_T_CLOSE_STATEMENT, "%}") || !parse_block(p, &body, ends) ||
      !expect_end(p, "endfilter"))
    return NULL;
  node->a = seal(p, filter);
  set_items(node, body);
  return seal(p, node);
}

static pk_node *parse_statement(parser *p) {
  next(p);
  if (accept_name(p, "set")) return parse_set(p);
  if (accept_name(p, "if")) return parse_if(p);
  if (accept_name(p, "for")) return parse_for(p);
  if (accept_name(p, "macro")) return parse_macro(p);
  if (accept_name(p, "call")) return parse_call_block(p);
  if (accept_name(p, "filter")) return parse_filter_block(p);
  bool stop = is_name(p, 0, "break");
  if (stop || is_name(p, 0, "continue")) {
    next(p);
    pk_node *node = new_node(p, stop ? PK_N_BREAK : PK_N_CONTINUE);
    return expect_kind(p, PK_T_CLOSE_STATEMENT, "%}") ? seal(p, node) : NULL;
  }
  fail_expected(p, "a statement");
  return NULL;
}

/* Reads up to one of the statements named in ends (which stays unread), or to the end when ends is NULL. */
static bool parse_block(parser *p, node_list *body, const char *const *ends) {
  if (++p->depth > PK_MAX_DEPTH) {
    pk_fail(p->vm, WNN_DATA_ERROR, "line %u: nested too deeply", peek(p, 0)->line);
    return false;
  }
  while (pk_step(p->vm, 1)) {
    const pk_token *token = peek(p, 0);
    if (token->kind == PK_T_END) {
      if (ends) fail_expected(p, ends[0]);
      break;
    }
    bool end = false;
    for (const char *const *name = ends; name && *name; name++) end = end || at_statement(p, *name);
    if (end) break;
    pk_node *node = NULL;
    if (token->kind == PK_T_TEXT) {
      node = new_node(p, PK_N_TEXT);
      if (node) node->value = token->value;
      next(p);
      node = seal(p, node);
    } else if (token->kind == PK_T_OPEN_PRINT) {
      next(p);
      node = new_node(p, PK_N_PRINT);
      if (node) node->a = parse_expression(p);
      expect_kind(p, PK_T_CLOSE_PRINT, "}}");
      node = seal(p, node);
    } else if (token->kind == PK_T_OPEN_STATEMENT) {
      node = parse_statement(p);
    } else {
      fail_expected(p, "text or a block");
    }
    if (!node || !push(p, body, node)) return false;
  }
  p->depth--;
  return !p->vm->failed;
}

bool pk_parse_template(pk_vm *vm, const char *source, size_t length, pk_template *template) {
  parser p = {.vm = vm};
  p.tokens = pk_lex(vm, source, length, true, &p.count);
  if (vm->failed) return false;
  node_list body = {0};
  if (!parse_block(&p, &body, NULL)) return false;
  *template = (pk_template){body.items, body.count};
  return true;
}

/* ---- Names an expression needs ---------------------------------------------------------------------------- */

typedef struct names {
  pk_vm *vm;
  pk_list *free, *asked;
} names;

static bool has_name(const pk_list *list, pk_value name) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i].length == name.length && !memcmp(list->items[i].as.text, name.as.text, name.length)) return true;
  return false;
}

static void collect(names *n, const pk_node *node) {
  if (!node || n->vm->failed) return;
  if (node->kind == PK_N_NAME) {
    static const char *const constants[] = {"true", "false", "none", "True", "False", "None"};
    for (size_t i = 0; i < 6; i++)
      if (pk_equals(node->value, constants[i])) return;
    if (!has_name(n->free, node->value)) pk_list_push(n->vm, n->free, node->value);
    return;
  }
  if (node->kind == PK_N_TEST && node->a->kind == PK_N_NAME &&
      (pk_equals(node->value, "defined") || pk_equals(node->value, "undefined"))) {
    if (!has_name(n->asked, node->a->value)) pk_list_push(n->vm, n->asked, node->a->value);
    return;
  }
  collect(n, node->a);
  collect(n, node->b);
  collect(n, node->c);
  for (uint32_t i = 0; i < node->item_count; i++) collect(n, node->items[i]);
}

const pk_expr *pk_parse_expr(pk_vm *vm, const char *source, size_t length) {
  parser p = {.vm = vm};
  pk_value copy = pk_string(vm, source, length);
  p.tokens = pk_lex(vm, source, length, false, &p.count);
  pk_expr *expr = pk_alloc(vm, sizeof *expr);
  if (vm->failed) return NULL;
  pk_node *root = parse_expression(&p);
  if (root && peek(&p, 0)->kind != PK_T_END) fail_expected(&p, "the end of the expression");
  pk_value free = pk_list_new(vm, 4), asked = pk_list_new(vm, 0);
  if (vm->failed) return NULL;
  collect(&(names){vm, free.as.list, asked.as.list}, root);
  expr->source = copy.as.text;
  expr->root = root;
  /* a name that is asked about anywhere may be missing everywhere */
  pk_value all = pk_list_new(vm, free.as.list->count + asked.as.list->count);
  if (vm->failed) return NULL;
  for (uint32_t i = 0; i < free.as.list->count; i++)
    if (!has_name(asked.as.list, free.as.list->items[i])) pk_list_push(vm, all.as.list, free.as.list->items[i]);
  expr->free_count = all.as.list->count;
  for (uint32_t i = 0; i < asked.as.list->count; i++) pk_list_push(vm, all.as.list, asked.as.list->items[i]);
  expr->names = all.as.list->items;
  expr->name_count = all.as.list->count;
  return vm->failed ? NULL : expr;
}
