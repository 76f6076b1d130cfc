// SPDX-License-Identifier: Apache-2.0
// Embedded values as text, to what sema takes.
#ifndef HD_SESSION_EMBED_H
#define HD_SESSION_EMBED_H

#include "session/session.h"

// The values live in the program's arena. A text that is no number is
// refused; whether it fits the declared type is sema's to say.
HdStatus embed_values(HdProgram *program, const IndexKernel *kernel,
                      const HdEmbed *embeds, int n_embeds, SpecValues *out);

#endif
