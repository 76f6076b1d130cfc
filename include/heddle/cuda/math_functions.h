// SPDX-License-Identifier: Apache-2.0
// What kernels use of this header is always there.
