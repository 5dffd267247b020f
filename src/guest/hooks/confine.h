/* Prepares for an app that confines itself. Before the app's call, finds the functions
 * and creates the files that the hooks and the recorder will need later. */
#ifndef DEJANK_HOOKS_CONFINE_H
#define DEJANK_HOOKS_CONFINE_H

#include "recorder/recorder.h"

struct dj_confining {
    enum dj_confinement kind;
    bool is_positive_failure; /* True if a result above 0 means that the call failed. */
    struct dj_confined before;
};

/* Call this before a system call with this number and these first arguments. */
struct dj_confining dj_confine_begin(long number, long a, long b, long c);

/* Call this after the system call. `confining` is the result of dj_confine_begin(). */
void dj_confine_end(const struct dj_confining *confining, long result);

#endif
