/* Manifests and metadata: every rule broken once, each message names the key. */
#include "packs/manifest.h"
#include "support/test.h"

/* The format wants double quotes; rows are easier to read with single ones. */
static void quote(char *text) {
  for (; *text; text++)
    if (*text == '\'') *text = '"';
}

static const char base[] =
    "{'domain':'com.example','name':'Op','sinceVersion':1,"
    "'inputs':{'x':{'onnx':'X','dtype':'T','rank':1},'n':{'dtype':'int64','storage':'int32','narrowing':'checked','"
    "optional':true},"
    "'p':{'dtype':'uint8','layout':'packed','optional':true}},"
    "'outputs':{'y':{'dtype':'T','shape':'shapes.x'}},"
    "'args':{'axis':{'kind':'i32','required':false},'mode':{'kind':'string','oneOf':['a','b'],'required':false}},"
    "'attributes':{'gain':{'default':1,'description':'d'},'hint':{}},'attributeConstraints':{'hint':{'values':[0,1]}},"
    "'typeConstraints':{'T':['float32','float16']},'tunables':{'WG':{'default':64}},"
    "'derive':{'count':'numel(shapes.x)','list':['count',2]},'when':['count > 0'],"
    "'requires':{'features':['subgroups'],'limits':{'maxBufferSize':4},'subgroupMinSize':4,'subgroupMatrixConfigs':[{'"
    "M':8}]},"
    "'bindings':{'src':{'arg':'x','elementType':'$T','length':'$count'},'params':{'struct':[{'name':'count','type':'"
    "u32','value':'count'}]}},"
    "'variants':["
    "{'id':'a','priority':1,'when':['true'],'demoteWhen':['false'],'tunables':{'K':{'default':1}},'derive':{'k':1},"
    "'intermediates':[{'id':'tmp','dtype':'float32','shape':'[count]','zeroInit':true}],"
    "'passes':[{'id':'m','shader':'s.wgsl','bindings':['src','tmp','y','params'],'dispatch':{'threads':'count','"
    "workgroupSize':64},'viewAlias':[{'input':'src','output':'y'}]},"
    "{'repeat':{'count':2,'index':'i'},'passes':[{'id':'r','shader':'s.wgsl','bindings':['x','y'],'dispatch':{'x':1,'y'"
    ":'count'}}]}]},"
    "{'id':'b','supersededBy':['a'],'passes':[{'shader':'s.wgsl','bindings':['x','y'],'dispatch':{'workgroups':4}}]},"
    "{'cases':[{'name':'p','n':1},{'name':'q','n':2}],'variants':[{'id':'f_{name}','priority':'{n}','passes':[{'shader'"
    ":'s.wgsl','bindings':['x','y'],'dispatch':{'x':'{n}'}}]}]},"
    "{'axes':{'u':[{'$key':'u0','s':0},{'$key':'u1','s':1}],'v':[{'$key':'v0','t':0},{'$key':'v1','t':1}]},'exclude':[{"
    "'u':'u0','v':'v0'}],'cases':[{'u':'u1','v':'v1','s':7}],"
    "'variants':[{'id':'g_{s}_{t}','passes':[{'shader':'s.wgsl','bindings':['x','y'],'dispatch':{'x':1}}]}]}]}";

/* Replaces one part of a text. */
static char *edited(const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  if (!at) return NULL;
  char *out = malloc(strlen(text) + strlen(to) + 1);
  memcpy(out, text, (size_t)(at - text));
  strcpy(out + (at - text), to);
  strcat(out, at + strlen(from));
  quote(out);
  return out;
}

static bool reads(const char *text, char *message, size_t room, uint32_t *variants) {
  pk_vm vm;
  pk_manifest manifest;
  pk_vm_init(&vm, &wnn_default_allocator, 10000000, (size_t)64 << 20);
  bool good = pk_manifest_read(&vm, text, strlen(text), &manifest);
  snprintf(message, room, "%s", good ? "" : vm.message);
  if (variants) *variants = good ? manifest.variant_count : 0;
  pk_vm_free(&vm);
  return good;
}

static void sound(void) {
  char message[600];
  uint32_t variants;
  char *text = edited(base, "'sinceVersion':1", "'$comment':'note','sinceVersion':1,'description':'','$schema':'s'");
  REQUIRE(text);
  CHECK_MSG(reads(text, message, sizeof message, &variants), "%s", message);
  CHECK_EQ(variants, 7);
  free(text);
}

static void broken(void) {
  static const struct {
    const char *from, *to, *want;
  } rows[] = {
      {"'sinceVersion':1", "'sinceVersion':1,'extra':1", "extra"},
      {"'name':'Op'", "'name':''", "name"},
      {"'com.example'", "'Com.Example'", "domain"},
      {"'sinceVersion':1", "'conformance':'x'", "conformance"},
      {"'sinceVersion':1", "'$comment':1", "$comment"},
      {"'sinceVersion':1", "'toString':1", "toString"},
      {"{'domain'", "[{'domain'", "manifest.json"},
      {"'outputs':{'y'", "'outputs':3,'onnx':{'y'", "outputs"},
      {"'onnx':'X'", "'onnx':''", "inputs.x.onnx"},
      {"'onnx':'X'", "'colour':'X'", "colour"},
      {"{'x':{", "{'1x':{", "inputs.1x"},
      {"'rank':1", "'rank':[1]", "inputs.x.rank"},
      {"'dtype':'T','rank'", "'dtype':1,'rank'", "inputs.x.dtype"},
      {"'rank':1", "'optional':1", "inputs.x.optional"},
      {"'rank':1", "'storage':'float32'", "inputs.x.storage"},
      {"'storage':'int32','narrowing':'checked',", "'storage':'int32',", "inputs.n.narrowing"},
      {"'narrowing':'checked'", "'narrowing':'wrap'", "inputs.n.narrowing"},
      {"'storage':'int32'", "'storage':'int8'", "inputs.n.storage"},
      {"'layout':'packed'", "'layout':'loose'", "inputs.p.layout"},
      {"'dtype':'uint8','layout'", "'dtype':'int32','layout'", "inputs.p.layout"},
      {"'y':{'dtype':'T'", "'y':{'layout':'packed','dtype':'T'", "outputs.y.layout"},
      {"'shape':'shapes.x'}", "'shape':3}", "outputs.y.shape"},
      {"'shape':'shapes.x'}", "'shape':'shapes.('}", "outputs.y.shape"},
      {"'kind':'i32'", "'kind':'tensor'", "args.axis.kind"},
      {"'kind':'i32'", "'kind':'i32','x':1", "args.axis"},
      {"'oneOf':['a','b']", "'oneOf':[]", "args.mode.oneOf"},
      {"'args':{'axis'", "'args':{'x'", "args.x"},
      {"'default':1,'description':'d'", "'default':1,'values':[1]", "attributes.gain"},
      {"'hint':{'values'", "'other':{'values'", "attributeConstraints.other"},
      {"'values':[0,1]", "'values':[0,0]", "attributeConstraints.hint.values"},
      {"'hint':{'values':[0,1]}", "'gain':{'values':[2]}", "attributeConstraints.gain.values"},
      {"'hint':{'values':[0,1]}", "'gain':{'required':true}", "attributeConstraints.gain.required"},
      {"'hint':{'values':[0,1]}", "'hint':{}", "attributeConstraints.hint"},
      {"['float32','float16']", "['float64']", "typeConstraints.T"},
      {"['float32','float16']", "[]", "typeConstraints.T"},
      {"'WG':{'default':64}", "'WG':64", "tunables.WG"},
      {"'WG':{'default':64}", "'WG':{'default':[1]}", "tunables.WG.default"},
      {"'derive':{'count'", "'derive':{'shapes':1,'count'", "derive.shapes"},
      {"'derive':{'count'", "'derive':{'T':1,'count'", "derive.T"},
      {"'derive':{'count'", "'derive':{'a b':1,'count'", "derive.a b"},
      {"'numel(shapes.x)'", "'numel('", "derive.count"},
      {"'when':['count > 0']", "'when':'count > 0'", "when"},
      {"'when':['count > 0']", "'when':[]", "when"},
      {"'when':['count > 0']", "'when':[1]", "when[0]"},
      {"'features':['subgroups']", "'features':['magic']", "requires.features"},
      {"'maxBufferSize':4", "'maxCake':4", "requires.limits"},
      {"'maxBufferSize':4", "'maxBufferSize':'4'", "requires.limits.maxBufferSize"},
      {"'subgroupMinSize':4", "'subgroupMinSize':0", "requires.subgroupMinSize"},
      {"[{'M':8}]", "[{}]", "requires.subgroupMatrixConfigs[0]"},
      {"[{'M':8}]", "[{'Q':8}]", "requires.subgroupMatrixConfigs[0]"},
      {"'subgroupMinSize':4", "'colour':4", "colour"},
      {"'arg':'x','elementType':'$T'", "'arg':'x','semantic':'x'", "semantic"},
      {"'src':{'arg':'x'", "'src':{'arg':'nothing'", "bindings.src.buffer"},
      {"'length':'$count'", "'length':-1", "bindings.src.length"},
      {"'arg':'x','elementType'", "'arg':'x','buffer':'texture','elementType'", "bindings.src.buffer"},
      {"'type':'u32'", "'type':'f64'", "struct[0].type"},
      {"'type':'u32','value'", "'type':'u32','unit':'m','value'", "unit"},
      {"'value':'count'}]", "'value':'count'},{'name':'count','type':'u32'}]", "twice"},
      {"'struct':[{'name':'count','type':'u32','value':'count'}]", "'struct':[]", "bindings.params.struct"},
      {"'id':'a','priority':1", "'id':'a b','priority':1", "variants[0].id"},
      {"'id':'a','priority':1", "'id':'b','priority':1", "the id b twice"},
      {"'priority':1", "'priority':'high'", "priority"},
      {"'priority':1", "'bindings':[]", "bindings"},
      {"'demoteWhen':['false']", "'demoteWhen':'false'", "demoteWhen"},
      {"'supersededBy':['a']", "'supersededBy':['zz']", "zz"},
      {"'supersededBy':['a']", "'supersededBy':['b']", "supersededBy"},
      {"'id':'b','supersededBy':['a']", "'id':'b','priority':9,'supersededBy':['a']", "rank above"},
      {"'id':'tmp'", "'id':'x'", "intermediates[0].id"},
      {"'dtype':'float32','shape':'[count]'", "'dtype':'int64','shape':'[count]'", "intermediates[0].dtype"},
      {"'zeroInit':true", "'zeroInit':false", "intermediates[0].zeroInit"},
      {"'shape':'[count]',", "", "intermediates[0].shape"},
      {"'shader':'s.wgsl','bindings':['src'", "'bindings':['src'", "passes[0].shader"},
      {"'shader':'s.wgsl','bindings':['src'", "'source':'s','shader':'s.wgsl','bindings':['src'", "source"},
      {"['src','tmp','y','params']", "['src','tmp','y','what']", "what"},
      {"['src','tmp','y','params']", "['src','src','y']", "bound twice"},
      {"['src','tmp','y','params']", "[]", "passes[0].bindings"},
      {"'threads':'count','workgroupSize':64", "'threads':'count'", "dispatch.workgroupSize"},
      {"'threads':'count','workgroupSize':64", "'gridStride':1", "gridStride"},
      {"'threads':'count','workgroupSize':64", "'y':1", "dispatch.x"},
      {"'threads':'count','workgroupSize':64", "'threads':1,'workgroups':1", "both"},
      {"'threads':'count','workgroupSize':64", "'x':-1", "dispatch.x"},
      {"'input':'src','output':'y'", "'input':'y','output':'y'", "viewAlias[0].input"},
      {"'dispatch':{'threads'", "'submitAfter':1,'dispatch':{'threads'", "submitAfter"},
      {"'dispatch':{'threads'", "'subgroupCollectivesWidth':3,'dispatch':{'threads'", "subgroupCollectivesWidth"},
      {"'repeat':{'count':2,'index':'i'}", "'repeat':{'count':2,'index':'count'}", "repeat.index"},
      {"'repeat':{'count':2,'index':'i'}", "'repeat':{'index':'i'}", "repeat.count"},
      {"'cases':[{'name':'p','n':1},{'name':'q','n':2}]", "'cases':[]", "cases"},
      {"{'name':'q','n':2}", "{'name':'p','n':2}", "f_p twice"},
      {"{'name':'q','n':2}", "{'name':'q'}", "{n}"},
      {"'name':'p'", "'name':null", "null"},
      {"'exclude':[{'u':'u0','v':'v0'}]", "'exclude':[{'u':'u9','v':'v0'}]", "axis u"},
      {"'exclude':[{'u':'u0','v':'v0'}]", "'exclude':[{'u':'u1','v':'v1'}]", "excluded"},
      {"'$key':'u1','s':1", "'$key':'u0','s':1", "u0"},
      {"'t':1}", "'s':1}", "both axes"},
      {"'v':[{'$key':'v0','t':0},{'$key':'v1','t':1}]", "'v':[]", "axes.v"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char message[600];
    char *text = edited(base, rows[i].from, rows[i].to);
    if (!text)
      test_failed("row %zu: \"%s\" is not in the manifest", i, rows[i].from);
    else if (reads(text, message, sizeof message, NULL))
      test_failed("%s was accepted", rows[i].to);
    else if (!strstr(message, rows[i].want))
      test_failed("%s: \"%s\" does not name %s", rows[i].to, message, rows[i].want);
    else
      test_passed();
    free(text);
  }
}

static void metadata(void) {
  static const char good[] =
      "{'name':'com.example.Op','version':1,'backend':{'type':'webgpu'},'digest':{'algorithm':'sha256','files':{"
      "'manifest.json':'47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=','s.wgsl':'47DEQpj8HBSa+/"
      "TImW+5JCeuQeRkm5NMpJWZG3hSuFU='}},"
      "'webgpu':{'manifestSpec':'2.1','variants':{'a':['s.wgsl']}}}";
  static const struct {
    const char *from, *to, *want;
  } rows[] = {{"'version':1", "'version':1", ""},
              {"'type':'webgpu'", "'type':'cuda'", "backend.type"},
              {"'2.1'", "'2.0'", "manifestSpec"},
              {"'sha256'", "'md5'", "digest.algorithm"},
              {"'manifest.json'", "'other.json'", "manifest.json"},
              {"'s.wgsl':'47", "'../s.wgsl':'47", "../s.wgsl"},
              {"'s.wgsl':'47", "'/s.wgsl':'47", "/s.wgsl"},
              {"'s.wgsl':'47", "'__proto__':'47", "__proto__"},
              {"'s.wgsl':'47DEQ", "'s.wgsl':'DEQ", "SHA-256"},
              {"{'a':['s.wgsl']}", "{}", "webgpu.variants"},
              {"['s.wgsl']", "[]", "webgpu.variants.a"},
              {"['s.wgsl']", "['t.wgsl']", "t.wgsl"},
              {"['s.wgsl']", "['manifest.json']", "manifest.json"},
              {"{'a':", "{'a-b':", "a-b"},
              {"'com.example.Op'", "''", "name"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    pk_vm vm;
    pk_metadata out;
    char *text = edited(good, rows[i].from, rows[i].to);
    REQUIRE(text);
    pk_vm_init(&vm, &wnn_default_allocator, 1000000, (size_t)16 << 20);
    bool accepted = pk_metadata_read(&vm, text, strlen(text), &out);
    CHECK_MSG(accepted == !rows[i].want[0], "%s: %s", rows[i].to, accepted ? "accepted" : vm.message);
    if (!accepted) CHECK_CONTAINS(vm.message, rows[i].want);
    pk_vm_free(&vm);
    free(text);
  }
}

int main(int argc, char **argv) {
  test_begin(argc, argv);
  TEST(sound);
  broken();
  TEST(metadata);
  return test_end();
}
