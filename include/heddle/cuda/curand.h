// SPDX-License-Identifier: Apache-2.0
// For hosts only.
