/* Finding and opening a WebGPU library. */
#define _GNU_SOURCE /* dladdr */
#include "backend/webgpu/gpu.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

enum { PATH_ROOM = 4096 };

/* The library of the npm package in a node_modules folder of `folder` or of one above it. */
static bool find_in_modules(const char *folder, char *path) {
  char base[PATH_ROOM];
  size_t length = strlen(folder);
  if (length >= sizeof base) return false;
  memcpy(base, folder, length + 1);
  for (;;) {
    while (length > 1 && base[length - 1] == '/') base[--length] = 0;
    int n =
        snprintf(path, PATH_ROOM, "%s/node_modules/bun-webgpu-linux-x64/libwebgpu_wrapper.so", length > 1 ? base : "");
    if (n > 0 && n < PATH_ROOM && access(path, R_OK) == 0) return true;
    char *slash = strrchr(base, '/');
    if (!slash || length <= 1) return false;
    *(slash == base ? slash + 1 : slash) = 0;
    length = strlen(base);
  }
}

static bool find_library(char *path) {
  const char *variable = getenv("WEBNN_WEBGPU_LIB");
  if (variable && *variable) return snprintf(path, PATH_ROOM, "%s", variable) < PATH_ROOM;
  char folder[PATH_ROOM];
  if (getcwd(folder, sizeof folder) && find_in_modules(folder, path)) return true;
  ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
  if (n > 0) {
    folder[n] = 0;
    if (find_in_modules(folder, path)) return true;
  }
  Dl_info info;
  char real[PATH_ROOM];
  void *self;
  wnn_status (*open)(const wnn_gpu_options *, wgpu_api *, void **, wnn_error *) = wnn_gpu_open;
  memcpy(&self, &open, sizeof self); /* a function's address as an object's, which dladdr takes */
  if (dladdr(self, &info) && info.dli_fname && realpath(info.dli_fname, real) && find_in_modules(real, path))
    return true;
  return snprintf(path, PATH_ROOM, "libwebgpu_wrapper.so") > 0;
}

static wnn_gpu_proc look_up(const wnn_gpu_options *options, void *handle, const char *name) {
  if (options->get_proc) return options->get_proc(name);
  void *symbol = dlsym(handle, name);
  wnn_gpu_proc proc;
  memcpy(&proc, &symbol, sizeof proc);
  return proc;
}

static bool has(const wnn_gpu_options *options, void *handle, const char *name) {
  return look_up(options, handle, name) != NULL;
}

wnn_status wnn_gpu_open(const wnn_gpu_options *options, wgpu_api *api, void **handle, wnn_error *error) {
  *handle = NULL;
  char path[PATH_ROOM];
  if (!options->get_proc) {
    if (options->library) {
      if (snprintf(path, sizeof path, "%s", options->library) >= PATH_ROOM)
        return wnn_error_set(error, WNN_NOT_SUPPORTED, "the path of the WebGPU library is too long");
    } else if (!find_library(path)) {
      return wnn_error_set(error, WNN_NOT_SUPPORTED, "the path of the WebGPU library is too long");
    }
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*handle) {
      const char *why = dlerror();
      return wnn_error_set(
          error, WNN_NOT_SUPPORTED,
          "no WebGPU: %s. Install the npm package bun-webgpu-linux-x64 or set WEBNN_WEBGPU_LIB to a library",
          why ? why : path);
    }
  }
  wnn_gpu_proc proc;
  char name[80];
#define X(member, suffix, result, args)                                                                                \
  snprintf(name, sizeof name, "wgpu%s", suffix);                                                                       \
  proc = look_up(options, *handle, name);                                                                              \
  if (!proc) goto missing;                                                                                             \
  memcpy(&api->member, &proc, sizeof proc);
  WGPU_FUNCTIONS(X)
#undef X
  proc = look_up(options, *handle, "wgpuInstanceGetWGSLLanguageFeatures");
  memcpy(&api->language_features, &proc, sizeof proc);
  proc = look_up(options, *handle, "wgpuDeviceGetAdapter");
  memcpy(&api->device_get_adapter, &proc, sizeof proc);
  proc = look_up(options, *handle, "wgpuDeviceGetAdapterInfo");
  memcpy(&api->device_get_adapter_info, &proc, sizeof proc);
  api->fresh = has(options, *handle, "wgpuGetInstanceFeatures");
  api->dawn = has(options, *handle, "wgpuDeviceTick");
  if (!api->fresh && !has(options, *handle, "wgpuGetInstanceCapabilities")) {
    snprintf(name, sizeof name, "wgpuGetInstanceCapabilities");
    goto missing;
  }
  return WNN_OK;
missing:
  if (*handle) dlclose(*handle);
  *handle = NULL;
  return wnn_error_set(error, WNN_NOT_SUPPORTED, "the WebGPU library lacks %s", name);
}
