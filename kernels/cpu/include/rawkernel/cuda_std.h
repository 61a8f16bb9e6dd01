// cuda::std, the namespace of NVIDIA's C++ library, is our std under another name.
#ifndef RAWKERNEL_CUDA_STD_H
#define RAWKERNEL_CUDA_STD_H

namespace std {}
namespace cuda {
namespace std = ::std;
}

#endif
