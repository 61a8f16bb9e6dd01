// cub: the version whose names are here.
#pragma once
#define CUB_VERSION 200300
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 3
#define CUB_SUBMINOR_VERSION 0
#define CUB_PATCH_NUMBER 0
