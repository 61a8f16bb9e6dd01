// Bytes and strings. `no_builtin` keeps LLVM from turning the loops into calls of the functions that they are.
#ifndef RAWKERNEL_STRINGS_H
#define RAWKERNEL_STRINGS_H

#include "memory.h"

#define __RK_STRING static inline __attribute__((host, device, no_builtin))

__RK_STRING size_t strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return (size_t)(end - text);
}
__RK_STRING int memcmp(const void *a, const void *b, size_t bytes) {
  const unsigned char *left = (const unsigned char *)a, *right = (const unsigned char *)b;
  for (size_t i = 0; i < bytes; i++) {
    if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
  }
  return 0;
}
__RK_STRING void *memchr(const void *memory, int byte, size_t bytes) {
  const unsigned char *at = (const unsigned char *)memory;
  for (size_t i = 0; i < bytes; i++) {
    if (at[i] == (unsigned char)byte) return (void *)(at + i);
  }
  return nullptr;
}
__RK_STRING int strncmp(const char *a, const char *b, size_t most) {
  for (size_t i = 0; i < most; i++) {
    unsigned char left = (unsigned char)a[i], right = (unsigned char)b[i];
    if (left != right) return left < right ? -1 : 1;
    if (!left) break;
  }
  return 0;
}
__RK_STRING int strcmp(const char *a, const char *b) { return strncmp(a, b, ~(size_t)0); }
__RK_STRING char *strcpy(char *to, const char *from) {
  size_t i = 0;
  do to[i] = from[i];
  while (from[i++]);
  return to;
}
__RK_STRING char *strncpy(char *to, const char *from, size_t bytes) {
  size_t i = 0;
  for (; i < bytes && from[i]; i++) to[i] = from[i];
  for (; i < bytes; i++) to[i] = 0;
  return to;
}
__RK_STRING char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}
__RK_STRING char *strncat(char *to, const char *from, size_t most) {
  char *end = to + strlen(to);
  size_t i = 0;
  for (; i < most && from[i]; i++) end[i] = from[i];
  end[i] = 0;
  return to;
}
__RK_STRING char *strchr(const char *text, int letter) {
  for (;; text++) {
    if (*text == (char)letter) return (char *)text;
    if (!*text) return nullptr;
  }
}
__RK_STRING char *strrchr(const char *text, int letter) {
  const char *last = nullptr;
  for (;; text++) {
    if (*text == (char)letter) last = text;
    if (!*text) return (char *)last;
  }
}
__RK_STRING char *strstr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (;; text++) {
    if (strncmp(text, part, length) == 0) return (char *)text;
    if (!*text) return nullptr;
  }
}

#undef __RK_STRING

#endif
