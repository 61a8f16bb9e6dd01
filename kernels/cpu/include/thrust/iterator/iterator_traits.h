// thrust: properties of iterators.
#pragma once
#include <iterator>

namespace thrust {
using std::iterator_traits;
template <class It> struct iterator_value {
  typedef typename std::iterator_traits<It>::value_type type;
};
template <class It> struct iterator_reference {
  typedef typename std::iterator_traits<It>::reference type;
};
template <class It> struct iterator_pointer {
  typedef typename std::iterator_traits<It>::pointer type;
};
template <class It> struct iterator_difference {
  typedef typename std::iterator_traits<It>::difference_type type;
};
template <class It> using iterator_value_t = typename iterator_value<It>::type;
template <class It> using iterator_reference_t = typename iterator_reference<It>::type;
template <class It> using iterator_pointer_t = typename iterator_pointer<It>::type;
template <class It> using iterator_difference_t = typename iterator_difference<It>::type;
}
