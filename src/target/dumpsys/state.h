/* The state folder of dumpsys, $XDG_STATE_HOME/dejank. It contains data that must be kept
 * longer than the segments. Only one process at a time writes to the folder. */
#ifndef DEJANK_DUMPSYS_STATE_H
#define DEJANK_DUMPSYS_STATE_H

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_STATE_PATH = 512,
    DJ_STATE_BYTES_MAX = 1 << 25, /* Maximum size of a file. */
    DJ_STATE_WAIT_MS = 2000       /* Maximum wait for a lock that another process
                                   * holds. */
};

struct dj_state {
    int directory; /* Descriptor of the folder, or −1 if it is closed. */
    int lock;
    char path[DJ_STATE_PATH];
};

/* Creates the state folder (mode 0700) if it is missing, and locks it. The parent of the
 * folder is $XDG_STATE_HOME if this is an absolute path to a folder of this user or to a
 * path that does not exist. Otherwise the parent is .local/state in the home folder. The
 * home folder is $HOME if it belongs to this user, and otherwise the one in the user
 * database. Returns DJ_E_OWNER if the folder belongs to another user or if others may
 * write to it. Returns DJ_E_TIMEOUT if another process holds the lock. Other errors are
 * DJ_E_LIMIT, DJ_E_NOT_FOUND and DJ_E_IO. Call dj_state_close() even after an error. */
int dj_state_open(struct dj_state *state, struct dj_error *err);
void dj_state_close(struct dj_state *state);

/* Reads a whole file of the folder. A missing file gives an empty text. */
int dj_state_read(const struct dj_state *state, const char *name, struct dj_text *text,
                  struct dj_error *err);

/* Replaces the contents of the file by the text (mode 0600). Other processes read
 * either the whole old text or the whole new text, even after a crash. */
int dj_state_replace(const struct dj_state *state, const char *name,
                     const struct dj_text *text, struct dj_error *err);

#endif
