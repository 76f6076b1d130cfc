/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes of every Heddle function. Values are stable. */
#ifndef HEDDLE_STATUS_H
#define HEDDLE_STATUS_H

/* X(name, value, meaning) */
#define HD_STATUS_TABLE(X)                                                     \
  X(HD_OK, 0, "success")                                                       \
  X(HD_ERROR_PROGRAM, 1, "the Heddle program is wrong (see the message)")      \
  X(HD_ERROR_TRAP, 2, "a kernel trapped or an assertion in it failed")         \
  X(HD_ERROR_DEADLOCK, 3, "a kernel deadlocked")                               \
  X(HD_ERROR_LAUNCH, 4, "a launch was refused: arguments or limits")           \
  X(HD_ERROR_ARGUMENT, 5, "a function of the library was called wrongly")      \
  X(HD_ERROR_NOT_FOUND, 6, "no such file, kernel, device or name")             \
  X(HD_ERROR_IO, 7, "reading or writing a file failed")                        \
  X(HD_ERROR_MEMORY, 8, "out of host or device memory")                        \
  X(HD_ERROR_DEVICE, 9, "the device or its driver failed")                     \
  X(HD_ERROR_UNSUPPORTED, 10, "not available in this version or device")       \
  X(HD_ERROR_INTERRUPTED, 11, "stopped by hd_interrupt or a signal")           \
  X(HD_ERROR_CHECK, 12, "a launch with checks found errors of the program")

typedef enum {

#define HD_STATUS_ROW(name, value, meaning) name = value,
  HD_STATUS_TABLE(HD_STATUS_ROW)
#undef HD_STATUS_ROW
} HdStatus;

#endif
