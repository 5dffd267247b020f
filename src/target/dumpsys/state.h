/* The folder in which dumpsys keeps what must outlive segments: $XDG_STATE_HOME/dejank.
 * One process at a time writes there. */
#ifndef DEJANK_DUMPSYS_STATE_H
#define DEJANK_DUMPSYS_STATE_H

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_STATE_PATH = 512,
    DJ_STATE_BYTES_MAX = 1 << 25, /* of a file */
    DJ_STATE_WAIT_MS = 2000       /* for another process's lock */
};

struct dj_state {
    int directory; /* −1: closed */
    int lock;
    char path[DJ_STATE_PATH];
};

/*
 * Makes the folder (mode 0700) where it is missing, and locks it: $XDG_STATE_HOME/dejank
 * where that variable names a folder of this user, else .local/state/dejank in $HOME
 * where that is this user's, else in the home that the system knows. DJ_E_OWNER where
 * what stands there is another's, a link, or writable by others; DJ_E_TIMEOUT where
 * another process keeps the lock; DJ_E_IO. Close it also after errors.
 */
int dj_state_open(struct dj_state *state, struct dj_error *err);
void dj_state_close(struct dj_state *state);

/* The whole of a file of the folder; empty where there is none. */
int dj_state_read(const struct dj_state *state, const char *name, struct dj_text *text,
                  struct dj_error *err);

/* Puts the text in the file's place, mode 0600: whoever reads it sees all of the old or
 * all of the new, whatever happens in between. */
int dj_state_replace(const struct dj_state *state, const char *name,
                     const struct dj_text *text, struct dj_error *err);

#endif
