// thrust: an iterator over tuples of what others point to.
#pragma once
#include "rawkernel/iterators.h"
#include "thrust/tuple.h"

namespace thrust {
template <class Tuple> struct zip_iterator;
template <class... It>
struct zip_iterator<std::tuple<It...>>
    : __rk_iterator<zip_iterator<std::tuple<It...>>, std::tuple<typename std::iterator_traits<It>::value_type...>,
                    std::tuple<typename std::iterator_traits<It>::reference...>> {
  typedef std::tuple<typename std::iterator_traits<It>::reference...> __all;
  std::tuple<It...> __iterators;
  __RK_MEMBER constexpr zip_iterator() {}
  __RK_MEMBER constexpr zip_iterator(const std::tuple<It...> &iterators) : __iterators(iterators) {}
  __RK_MEMBER constexpr const std::tuple<It...> &get_iterator_tuple() const { return __iterators; }
  __RK_MEMBER constexpr __all __get() const {
    return std::apply([](const It &...at) { return __all(*at...); }, __iterators);
  }
  __RK_MEMBER constexpr void __move(ptrdiff_t n) {
    std::apply([n](It &...at) { ((at += n), ...); }, __iterators);
  }
  __RK_MEMBER constexpr ptrdiff_t __distance(const zip_iterator &other) const {
    return (ptrdiff_t)(std::get<0>(__iterators) - std::get<0>(other.__iterators));
  }
};
template <class... It> __RK_MEMBER constexpr zip_iterator<std::tuple<It...>> make_zip_iterator(const std::tuple<It...> &at) {
  return at;
}
template <class... It> __RK_MEMBER constexpr zip_iterator<std::tuple<It...>> make_zip_iterator(It... at) {
  return std::tuple<It...>(at...);
}
}
