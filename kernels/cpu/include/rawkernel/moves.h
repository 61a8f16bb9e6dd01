// std::move and std::forward, which NVRTC has without a header.
#ifndef RAWKERNEL_MOVES_H
#define RAWKERNEL_MOVES_H

namespace std {
template <class T> constexpr __remove_reference_t(T) &&move(T &&value) noexcept {
  return static_cast<__remove_reference_t(T) &&>(value);
}
template <class T> constexpr T &&forward(__remove_reference_t(T) &value) noexcept { return static_cast<T &&>(value); }
template <class T> constexpr T &&forward(__remove_reference_t(T) &&value) noexcept { return static_cast<T &&>(value); }
}

#endif
