/* The journal of a device's changed settings. The original value of a setting is written
 * to the journal before the setting is changed, so that the change can be undone even if
 * dejank is killed. The format is in docs/format/journal.md. */
#ifndef DEJANK_MEASURE_JOURNAL_H
#define DEJANK_MEASURE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The original value of one setting. */
struct dj_journal_entry {
    /* "global", "system", "secure", "property", "screen", "file", "process" or
     * "tracing". */
    char *space;
    char *name;
    char *value; /* NULL if the setting had no value. */
};

struct dj_journal {
    char *path;
    char *selector; /* Selector of the device. */
    struct dj_journal_entry *entries;
    size_t count;
};

/* Opens the journal of a device and reads the entries that an earlier process left.
 * Writes nothing. The caller must hold the device's lease. Finish the journal even after
 * an error. */
int dj_measure_journal_open(const char *device, struct dj_journal *journal,
                            struct dj_error *err);

/* As dj_measure_journal_open(), for the journal in the file `path`. Returns DJ_E_INVALID
 * if the file is not a journal. */
int dj_measure_journal_read(const char *path, struct dj_journal *journal,
                            struct dj_error *err);

/* Adds an entry before a setting is changed. The entry is on disk when this function
 * returns 0. An existing entry of the same setting stays unchanged, because it has the
 * original value. */
int dj_measure_journal_note(struct dj_journal *journal, const char *space,
                            const char *name, const char *value, struct dj_error *err);

/* Removes the entry of a setting that has its original value again. It is no error if
 * there is no such entry. */
int dj_measure_journal_remove(struct dj_journal *journal, const char *space,
                              const char *name, struct dj_error *err);

/* Removes all entries and the file. Call it after all settings have been restored. */
int dj_measure_journal_clear(struct dj_journal *journal, struct dj_error *err);

void dj_measure_journal_finish(struct dj_journal *journal);

/* Calls `visit` with the path of each journal file. Stops if `visit` does not return 0,
 * and returns that code. */
int dj_measure_journal_for_each(int (*visit)(void *user, const char *path), void *user,
                                struct dj_error *err);

#endif
