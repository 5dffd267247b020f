/* An app that is about to confine itself: what the hooks and the recorder will need is
 * looked up and created before. */
#ifndef DEJANK_HOOKS_CONFINE_H
#define DEJANK_HOOKS_CONFINE_H

#include "recorder/recorder.h"

struct dj_confining {
    enum dj_confinement kind;
    bool is_positive_failure; /* a result above 0 means that the call failed */
    struct dj_confined before;
};

/* A system call with these first arguments is about to be made. */
struct dj_confining dj_confine_begin(long number, long a, long b, long c);

/* It has returned. */
void dj_confine_end(const struct dj_confining *confining, long result);

#endif
