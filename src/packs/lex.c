/* Reader of the pack language, part one: text into tokens. */
#include "packs/ast.h"

#include <stdlib.h>

typedef struct lexer {
  pk_vm *vm;
  const char *text;
  size_t at, length;
  uint32_t line;
  pk_token *tokens;
  uint32_t count, capacity;
} lexer;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Applies the two rules on white space around blocks: blanks in front of a block that starts a line go, and
 * so does the newline after a block. Done on the text, before reading, so that it also holds inside strings. */
static char *trim_blocks(pk_vm *vm, const char *source, size_t length, size_t *out_length) {
  if (length && source[length - 1] == '\n') length--;
  char *out = pk_alloc(vm, length + 1);
  if (!out) return NULL;
  size_t n = 0;
  bool line_start = true;
  for (size_t i = 0; i < length; i++) {
    if (line_start) {
      size_t j = i;
      while (j < length && (source[j] == ' ' || source[j] == '\t')) j++;
      if (j + 1 < length && source[j] == '{' && (source[j + 1] == '#' || source[j + 1] == '%' || source[j + 1] == '-'))
        i = j;
    }
    line_start = source[i] == '\n' || source[i] == '\r';
    out[n++] = source[i];
  }
  char *kept = pk_alloc(vm, n + 1);
  if (!kept) return NULL;
  size_t m = 0;
  for (size_t i = 0; i < n; i++) {
    if (out[i] == '\n' && i >= 2 && out[i - 1] == '}' && (out[i - 2] == '#' || out[i - 2] == '%' || out[i - 2] == '-'))
      continue;
    kept[m++] = out[i];
  }
  *out_length = m;
  return kept;
}

static pk_token *add(lexer *lx, pk_token_kind kind) {
  if (lx->vm->failed) return NULL;
  if (lx->count == lx->capacity) {
    uint32_t capacity = lx->capacity ? lx->capacity * 2 : 32;
    pk_token *tokens = pk_array(lx->vm, capacity, sizeof *tokens);
    if (!tokens) return NULL;
    if (lx->count) memcpy(tokens, lx->tokens, lx->count * sizeof *tokens);
    lx->tokens = tokens;
    lx->capacity = capacity;
  }
  pk_token *token = &lx->tokens[lx->count++];
  *token = (pk_token){.kind = (uint8_t)kind, .line = lx->line};
  return token;
}

static pk_token *add_text(lexer *lx, pk_token_kind kind, const char *text, size_t length) {
  pk_token *token = add(lx, kind);
  if (token) token->value = pk_string(lx->vm, text, length);
  return token;
}

static pk_token_kind last_kind(const lexer *lx) {
  return lx->count ? (pk_token_kind)lx->tokens[lx->count - 1].kind : PK_T_END;
}

static char peek(const lexer *lx, size_t ahead) { return lx->at + ahead < lx->length ? lx->text[lx->at + ahead] : 0; }

static void advance(lexer *lx, size_t count) {
  for (; count && lx->at < lx->length; count--)
    if (lx->text[lx->at++] == '\n') lx->line++;
}

static void skip_space(lexer *lx) {
  while (lx->at < lx->length && is_space(lx->text[lx->at])) advance(lx, 1);
}

/* The effect of `{%-`, `{{-` and `{#-`: the text in front loses its trailing white space. */
static void trim_last_text(lexer *lx) {
  if (last_kind(lx) != PK_T_TEXT) return;
  pk_value *text = &lx->tokens[lx->count - 1].value;
  while (text->length && is_space(text->as.text[text->length - 1])) text->length--;
  if (!text->length) lx->count--;
}

static void read_string(lexer *lx) {
  pk_vm *vm = lx->vm;
  char quote = peek(lx, 0);
  advance(lx, 1);
  pk_text text = {0};
  for (;;) {
    if (lx->at >= lx->length) {
      pk_fail(vm, WNN_DATA_ERROR, "line %u: string is not closed", lx->line);
      return;
    }
    char c = peek(lx, 0);
    advance(lx, 1);
    if (c == quote) break;
    if (c == '\\') {
      static const char from[] = "ntrbfv'\"\\", to[] = "\n\t\r\b\f\v'\"\\";
      char escaped = peek(lx, 0);
      const char *hit = escaped ? strchr(from, escaped) : NULL;
      if (!hit) {
        pk_fail(vm, WNN_DATA_ERROR, "line %u: unknown escape in a string", lx->line);
        return;
      }
      c = to[hit - from];
      advance(lx, 1);
    }
    if (!pk_text_add(vm, &text, &c, 1)) return;
  }
  add_text(lx, PK_T_STRING, text.data ? text.data : "", text.length);
}

static void read_number(lexer *lx, bool negative) {
  char digits[400];
  size_t n = 0;
  bool after_dot = lx->count && last_kind(lx) == PK_T_MARK && lx->tokens[lx->count - 1].mark[0] == '.';
  bool is_float = false;
  if (negative) digits[n++] = '-';
  while (is_digit(peek(lx, 0)) || (!is_float && !after_dot && peek(lx, 0) == '.' && is_digit(peek(lx, 1)))) {
    if (peek(lx, 0) == '.') is_float = true;
    if (n + 1 >= sizeof digits) {
      pk_fail(lx->vm, WNN_DATA_ERROR, "line %u: number is too long", lx->line);
      return;
    }
    digits[n++] = peek(lx, 0);
    advance(lx, 1);
  }
  digits[n] = 0;
  pk_token *token = add(lx, PK_T_NUMBER);
  if (!token) return;
  double value = strtod(digits, NULL);
  token->is_float = is_float;
  token->value = is_float ? pk_float(value) : pk_int(value);
}

/* A sign starts a number (or is a sign operator) unless something that has a value stands in front. */
static bool sign_is_unary(const lexer *lx) {
  if (!lx->count) return true;
  const pk_token *last = &lx->tokens[lx->count - 1];
  if (last->kind == PK_T_NAME || last->kind == PK_T_NUMBER || last->kind == PK_T_STRING) return false;
  return !(last->kind == PK_T_MARK && (last->mark[0] == ')' || last->mark[0] == ']'));
}

static void read_code(lexer *lx, int *braces) {
  static const char *const two[] = {"<=", ">=", "==", "!=", "**", "//"};
  char c = peek(lx, 0), d = peek(lx, 1);
  if (c == '-' && peek(lx, 2) == '}' && (d == '%' || d == '}')) {
    add(lx, d == '%' ? PK_T_CLOSE_STATEMENT : PK_T_CLOSE_PRINT);
    advance(lx, 3);
    skip_space(lx);
    return;
  }
  if (c == '%' && d == '}') {
    add(lx, PK_T_CLOSE_STATEMENT);
    advance(lx, 2);
    return;
  }
  if (c == '}' && d == '}' && *braces == 0) {
    add(lx, PK_T_CLOSE_PRINT);
    advance(lx, 2);
    return;
  }
  if (is_digit(c)) {
    read_number(lx, false);
    return;
  }
  if ((c == '-' || c == '+') && sign_is_unary(lx) && is_digit(d)) {
    advance(lx, 1);
    read_number(lx, c == '-');
    return;
  }
  if (c == '"' || c == '\'') {
    read_string(lx);
    return;
  }
  if (is_word(c)) {
    size_t start = lx->at;
    while (is_word(peek(lx, 0))) advance(lx, 1);
    add_text(lx, PK_T_NAME, lx->text + start, lx->at - start);
    return;
  }
  for (size_t i = 0; i < sizeof two / sizeof *two; i++) {
    if (c != two[i][0] || d != two[i][1]) continue;
    pk_token *token = add(lx, PK_T_MARK);
    if (token) memcpy(token->mark, two[i], 3);
    advance(lx, 2);
    return;
  }
  if (c && strchr("(){}[],.:|<>+-~*/%=", c)) {
    if (c == '{') ++*braces;
    if (c == '}') --*braces;
    pk_token *token = add(lx, PK_T_MARK);
    if (token) token->mark[0] = c;
    advance(lx, 1);
    return;
  }
  pk_fail(lx->vm, WNN_DATA_ERROR, "line %u: unexpected character '%c'", lx->line, c >= ' ' && c < 127 ? c : '?');
}

static void read_comment(lexer *lx) {
  advance(lx, 2);
  if (peek(lx, 0) == '-') {
    trim_last_text(lx);
    advance(lx, 1);
  }
  while (lx->at < lx->length && !(peek(lx, 0) == '#' && peek(lx, 1) == '}')) advance(lx, 1);
  if (lx->at >= lx->length) {
    pk_fail(lx->vm, WNN_DATA_ERROR, "line %u: comment is not closed", lx->line);
    return;
  }
  bool trim = lx->text[lx->at - 1] == '-';
  advance(lx, 2);
  if (trim) skip_space(lx);
}

pk_token *pk_lex(pk_vm *vm, const char *source, size_t length, bool template, uint32_t *count) {
  lexer lx = {.vm = vm, .text = source, .length = length, .line = 1};
  if (template) {
    lx.text = trim_blocks(vm, source, length, &lx.length);
    if (vm->failed) return NULL;
  }
  bool code = !template;
  int braces = 0;
  while (lx.at < lx.length && !vm->failed && pk_step(vm, 1)) {
    if (code) {
      skip_space(&lx);
      if (lx.at >= lx.length) break;
      read_code(&lx, &braces);
      pk_token_kind kind = last_kind(&lx);
      if (kind == PK_T_CLOSE_STATEMENT || kind == PK_T_CLOSE_PRINT) code = !template;
      continue;
    }
    size_t start = lx.at;
    while (lx.at < lx.length &&
           !(peek(&lx, 0) == '{' && (peek(&lx, 1) == '%' || peek(&lx, 1) == '{' || peek(&lx, 1) == '#')))
      advance(&lx, 1);
    if (lx.at > start) add_text(&lx, PK_T_TEXT, lx.text + start, lx.at - start);
    if (lx.at >= lx.length) break;
    if (peek(&lx, 1) == '#') {
      read_comment(&lx);
      continue;
    }
    if (peek(&lx, 2) == '-') trim_last_text(&lx);
    add(&lx, peek(&lx, 1) == '%' ? PK_T_OPEN_STATEMENT : PK_T_OPEN_PRINT);
    advance(&lx, peek(&lx, 2) == '-' ? 3 : 2);
    code = true;
    braces = 0;
  }
  if (template && code && !vm->failed) pk_fail(vm, WNN_DATA_ERROR, "line %u: block is not closed", lx.line);
  add(&lx, PK_T_END);
  *count = lx.count;
  return lx.tokens;
}
