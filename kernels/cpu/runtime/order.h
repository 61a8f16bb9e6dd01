// The order of threads where it is drawn: RAWKERNEL_CPU_ORDER.
#pragma once
#include "check.h"

extern "C" {
// The next number that is drawn; 0 where the threads run one after another.
unsigned __rt_turn();
// The index among those from `first` to before `end` that comes as the one `at` in an order that was drawn.
unsigned __rt_shuffled(unsigned first, unsigned end, unsigned at, unsigned order);
}
