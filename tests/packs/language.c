/* Expressions and templates: values, text, failures, limits. */
#include "packs/ast.h"
#include "support/test.h"

static bool look_up(void *user, const char *name, size_t length, pk_value *value) {
  pk_vm *vm = user;
  static const uint32_t dims[] = {2, 3, 4};
  pk_value wanted = {.kind = PK_STRING, .length = (uint32_t)length, .as.text = name};
  if (pk_equals(wanted, "s")) return *value = pk_list_of_u32(vm, dims, 3), true;
  if (pk_equals(wanted, "x")) return *value = pk_int(8), true;
  if (pk_equals(wanted, "name")) return *value = pk_static("Ab"), true;
  *value = pk_helper(vm, name, length);
  return value->kind != PK_UNDEFINED;
}

/* The JSON of a value, or what it failed with. */
static void evaluate(const char *source, char *out, size_t room) {
  pk_vm vm;
  pk_vm_init(&vm, &wnn_default_allocator, 10000000, (size_t)64 << 20);
  pk_source names = {look_up, &vm};
  const pk_expr *expr = pk_parse_expr(&vm, source, strlen(source));
  pk_value value = expr ? pk_eval_expr(&vm, expr, &names) : pk_undefined();
  snprintf(out, room, "%s", vm.failed ? vm.message : pk_show(&vm, value));
  pk_vm_free(&vm);
}

static void render(const char *source, char *out, size_t room) {
  pk_vm vm;
  pk_vm_init(&vm, &wnn_default_allocator, 10000000, (size_t)64 << 20);
  pk_source names = {look_up, &vm};
  pk_template template;
  pk_value value = pk_undefined();
  if (pk_parse_template(&vm, source, strlen(source), &template)) value = pk_render(&vm, &template, &names);
  snprintf(out, room, "%s", vm.failed ? vm.message : value.as.text);
  pk_vm_free(&vm);
}

typedef struct row {
  const char *source, *want;
} row;

static void expressions(void) {
  static const row rows[] = {{"1 + 2 * 3", "7"},
                             {"(1 + 2) * 3", "9"},
                             {"x / 4", "2"},
                             {"x / 3 > 2.6", "true"},
                             {"7 // 2", "3"},
                             {"-7 // 2", "-4"},
                             {"-7 % 3", "-1"},
                             {"2 ** 10", "1024"},
                             {"2 ** -1", "0.5"},
                             {"1 if x > 3 else 2", "1"},
                             {"1 if false", "undefined"},
                             {"\"a\" ~ x / 4", "\"a2\""},
                             {"\"a\" + 1", "\"a1\""},
                             {"not x in [1, 8]", "false"},
                             {"x not in s", "true"},
                             {"\"b\" in name", "true"},
                             {"x > 1 and x < 3 or true", "true"},
                             {"0 or 5", "5"},
                             {"0 and missing_is_not_read", "unknown name"},
                             {"s[0]", "2"},
                             {"s[-1]", "4"},
                             {"s[7]", "undefined"},
                             {"s[1:]", "[3,4]"},
                             {"s[::-1]", "[4,3,2]"},
                             {"s + [1]", "[2,3,4,1]"},
                             {"s.length", "3"},
                             {"s | length", "3"},
                             {"{\"a\": 1}.a", "1"},
                             {"{\"a\": 1}[\"b\"]", "undefined"},
                             {"y is defined", "false"},
                             {"y is undefined and x is defined", "true"},
                             {"y", "unknown name \"y\""},
                             {"x is number", "true"},
                             {"x is even", "true"},
                             {"name | upper", "\"AB\""},
                             {"name.lower()", "\"ab\""},
                             {"\"1.5\" | float", "1.5"},
                             {"[3, 1, 2] | sort | join(\"-\")", "\"1-2-3\""},
                             {"numel(s)", "24"},
                             {"numel([])", "1"},
                             {"dim(s, -1)", "4"},
                             {"dim(s, 3)", "2"},
                             {"dim([], 0)", "null"},
                             {"outer(s, 1)", "2"},
                             {"inner(s, 1)", "4"},
                             {"rows(s, 1)", "8"},
                             {"prefix(s, 2)", "[2,3]"},
                             {"suffix(s, 2)", "[4]"},
                             {"fill(1, 3)", "[1,1,1]"},
                             {"moveAxis(s, 0, -1)", "[3,4,2]"},
                             {"permuteShape(s, [2, 0, 1])", "[4,2,3]"},
                             {"permuteShape(s, [0, 0, 1])", "axis 0 comes twice"},
                             {"reversedAxes(3)", "[2,1,0]"},
                             {"broadcastShape([3, 1], [1, 4])", "[3,4]"},
                             {"broadcastShape([3], [4])", "cannot be broadcast"},
                             {"matmulShape(s, [4, 5])", "[2,3,5]"},
                             {"matmulShape([4], [4])", "[]"},
                             {"matmulShape(s, [5, 5])", "inner dimensions"},
                             {"broadcastable([1, 4], s)", "true"},
                             {"broadcastable(s, [4])", "false"},
                             {"sameShape(s, [2, 3, 4])", "true"},
                             {"s == [2, 3, 4]", "false"},
                             {"hasAxis([-1], 2, 3)", "true"},
                             {"axisValue([7, 9], [0, 2], -1, 3, 1)", "9"},
                             {"isUniqueIntList([0, 1, -3], -3, 3, 3)", "false"},
                             {"isUniqueIntList([0, 1], 0, 3)", "true"},
                             {"has({\"a\": 1}, \"a\")", "true"},
                             {"dtypeBytes(\"f16\")", "2"},
                             {"dtypeBytes(\"int64\")", "8"},
                             {"onnxDtypeCode(\"float16\")", "10"},
                             {"pick([[false, 1], [true, 2]], 3)", "2"},
                             {"pick([], 3)", "3"},
                             {"ceilDiv(7, 2)", "4"},
                             {"pow2ceil(33)", "64"},
                             {"log2ceil(33)", "6"},
                             {"pow2ceil(0)", "1"},
                             {"min(3, 1, 2)", "1"},
                             {"max(3, x)", "8"},
                             {"floor(2.5)", "2"},
                             {"(1 if false) < 1", "cannot be applied to undefined"},
                             {"none + 1", "cannot be applied to null"},
                             {"true + 1", "cannot be applied"},
                             {"[1][\"a\"]", "undefined"},
                             {"s[0.5]", "cannot be indexed"},
                             {"1 +", "expected a value"},
                             {"(1", "expected )"},
                             {"1 2", "expected the end"},
                             {"\"a", "not closed"},
                             {"a $ b", "unexpected character"},
                             {"f(1, a=2, 3)", "positional argument"},
                             {"numel(1)", "not a list"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char got[600];
    evaluate(rows[i].source, got, sizeof got);
    if (strstr(got, rows[i].want) && (rows[i].want[0] != '[' || !strcmp(got, rows[i].want)))
      test_passed();
    else
      test_failed("%s gave %s, not %s", rows[i].source, got, rows[i].want);
  }
}

static void templates(void) {
  static const row rows[] = {
      {"{{ x / 4 }} {{ x }} {{ 1.5 }}", "2.0 8 1.5"},
      {"a\n{% if true %}\n  b\n{% endif %}\nc\n", "a\n  b\nc"},
      {"  {% set v = 1 %}\n  {{ v }}", "  1"},
      {"{% for i in range(3) %}{{ i }}{% if not loop.last %},{% endif %}{% endfor %}", "0,1,2"},
      {"{% for i in range(0) %}x{% else %}none{% endfor %}", "none"},
      {"{% for k, v in {\"a\": 1}.items() %}{{ k }}={{ v }}{% endfor %}", "a=1"},
      {"{% for i in range(9) if i is odd %}{{ i }}{% endfor %}", "1357"},
      {"{% for i in range(9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% "
       "endfor %}",
       "013"},
      {"{% macro f(a, b=2) %}{{ a + b }}{% endmacro %}{{ f(1) }} {{ f(1, b=5) }}", "3 6"},
      {"{% macro f(a) %}{% endmacro %}{{ f(1, 2) }}", "at most 1"},
      {"{% set ns = namespace(n=0) %}{% for i in s %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}", "9"},
      {"{% set a = 1 %}{% for i in s %}{% set a = i %}{% endfor %}{{ a }}", "1"},
      {"{% macro wrap() %}<{{ caller() }}>{% endmacro %}{% call wrap() %}in{% endcall %}", "<in>"},
      {"{% filter upper %}abc{% endfilter %}", "ABC"},
      {"{% set t %}abc{% endset %}{{ t | length }}", "3"},
      {"a  {{- x -}}  b", "a8b"},
      {"{# note #}x{#- y -#} z", "xz"},
      {"{{ missing }}|{{ missing | default(3) }}", "|3"},
      {"{{ [1, \"a\", none, true] | tojson }}", "[1, \"a\", null, true]"},
      {"{{ {\"b\": 1, \"a\": [2]} | tojson(sort_keys=true, separators=(\",\", \":\")) }}", "{\"a\":[2],\"b\":1}"},
      {"{{ \"a\\nb\" | indent(2) }}", "a\n  b"},
      {"{{ \"aXbX\" | replace(\"X\", \"-\") }}", "a-b-"},
      {"{{ raise_exception(\"no luck\") }}", "raise_exception(): no luck"},
      {"{% if %}", "expected a value"},
      {"{% for i in 3 %}{% endfor %}", "cannot be looped over"},
      {"{% if true %}", "expected elif"},
      {"{% endif %}", "expected a statement"},
      {"{{ 1", "not closed"},
      {"{% break %}", "outside of a loop"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char got[600];
    render(rows[i].source, got, sizeof got);
    if (!strcmp(got, rows[i].want) || (strlen(rows[i].want) > 8 && strstr(got, rows[i].want)))
      test_passed();
    else
      test_failed("%s gave \"%s\", not \"%s\"", rows[i].source, got, rows[i].want);
  }
}

/* What would run for ever or need all memory stops with a failure. */
static void limits(void) {
  static const row rows[] = {
      {"{% for i in range(1000000000) %}x{% endfor %}", "too much memory"},
      {"{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "nested too deeply"},
      {"{% for i in range(3000) %}{% for j in range(3000) %}{% set a = 1 %}{% endfor %}{% endfor %}", "too much"},
      {"{% set ns = namespace(t=\"xxxxxxxx\") %}{% for i in range(60) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}",
       "too much"},
      {"{% set ns = namespace(t=[1, 2]) %}{% for i in range(60) %}{% set ns.t = ns.t + ns.t %}{% endfor %}",
       "too much"}};
  char got[600];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    render(rows[i].source, got, sizeof got);
    CHECK_MSG(strstr(got, rows[i].want), "%s gave %s", rows[i].source, got);
  }
  static const char *const parts[] = {"(", "[", "-", "not ", "1+", "1 if 1 else ", "x[", "x|a(", "{\"a\":"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    size_t length = strlen(parts[i]), count = 20000;
    char *source = malloc(length * count + 2);
    for (size_t k = 0; k < count; k++) memcpy(source + k * length, parts[i], length);
    memcpy(source + length * count, "1", 2);
    evaluate(source, got, sizeof got);
    CHECK_MSG(strstr(got, "too deeply") || strstr(got, "expected"), "%zu times %s gave %s", count, parts[i], got);
    free(source);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  expressions();
  templates();
  TEST(limits);
  return test_end();
}
