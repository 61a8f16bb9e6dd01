// thrust: host_vector belongs to the host; a kernel that names it learns so.
#pragma once
#include <cstddef>

namespace thrust {
template <class T, class Allocator = void> struct host_vector {
  static_assert(sizeof(T) == 0, "thrust::host_vector is host code: give the kernel a pointer and a count");
};
}
