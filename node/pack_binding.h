/* The part of the addon for kernel packs. */
#ifndef WEBNN_NODE_PACK_BINDING_H
#define WEBNN_NODE_PACK_BINDING_H

#define NAPI_VERSION 8
#include <node_api.h>
#include <stdbool.h>

/* Adds packDevice, packLoad, packTensor, packRead and packRun; nothing without kernel packs in the build. */
bool node_pack_register(napi_env env, napi_value exports);

#endif
