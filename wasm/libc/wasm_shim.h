/*
 * Included by the compiler in front of every C file of the WASM build: the few things that the grammars'
 * scanners expect from a C library and that neither clang nor tree-sitter's headers offer.
 */
#ifndef CODECORTEX_WASM_SHIM_H_
#define CODECORTEX_WASM_SHIM_H_

#include <stddef.h>

#ifndef __cplusplus

#ifndef static_assert
#define static_assert _Static_assert
#endif

static inline int isdigit(int c) { return c >= '0' && c <= '9'; }

static inline int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* A grammar that gives up ends the call as a panic does: the worker is restarted. */
__attribute__((noreturn)) static inline void exit(int status) {
  (void)status;
  __builtin_trap();
}

#endif

#endif
