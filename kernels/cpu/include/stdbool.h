// C: bool is a word of C++ itself.
#pragma once
#define __bool_true_false_are_defined 1
