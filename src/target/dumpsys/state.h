/* The state folder of dumpsys, for data that outlives segments:
 * $XDG_STATE_HOME/dejank. One process at a time writes there. */
#ifndef DEJANK_DUMPSYS_STATE_H
#define DEJANK_DUMPSYS_STATE_H

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_STATE_PATH = 512,
    DJ_STATE_BYTES_MAX = 1 << 25, /* of a file */
    DJ_STATE_WAIT_MS = 2000       /* maximum wait for another process's lock */
};

struct dj_state {
    int directory; /* −1: closed */
    int lock;
    char path[DJ_STATE_PATH];
};

/* Creates the folder (mode 0700) if it is missing, and locks it. It is
 * $XDG_STATE_HOME/dejank if that variable names a folder of this user, else
 * .local/state/dejank in $HOME if that belongs to this user, else in the home folder
 * that the system knows. Returns DJ_E_OWNER if the folder belongs to another user, is
 * a link, or is writable by others; DJ_E_TIMEOUT if another process keeps the lock;
 * DJ_E_IO. Close it also after an error. */
int dj_state_open(struct dj_state *state, struct dj_error *err);
void dj_state_close(struct dj_state *state);

/* Reads a whole file of the folder. A missing file gives an empty text. */
int dj_state_read(const struct dj_state *state, const char *name, struct dj_text *text,
                  struct dj_error *err);

/* Replaces the file by the text, mode 0600. Readers see either the whole old text or
 * the whole new one, even after a crash. */
int dj_state_replace(const struct dj_state *state, const char *name,
                     const struct dj_text *text, struct dj_error *err);

#endif
