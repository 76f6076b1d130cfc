// SPDX-License-Identifier: Apache-2.0
// <stdbool.h> of Heddle C. bool, true and false are words of the language.
#ifndef HEDDLE_C_STDBOOL_H
#define HEDDLE_C_STDBOOL_H

#define __bool_true_false_are_defined 1

#endif
