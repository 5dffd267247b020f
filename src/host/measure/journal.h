/* The journal of a device's changed settings. Each change is written down before it is
 * made, so that it can be undone even if dejank is killed. Format: docs/format/journal.md
 */
#ifndef DEJANK_MEASURE_JOURNAL_H
#define DEJANK_MEASURE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The original value of one setting. */
struct dj_journal_entry {
    char *space; /* "global", "system", "secure", "property", "screen", "file", "process",
                  * "tracing" */
    char *name;
    char *value; /* NULL: it had no value */
};

struct dj_journal {
    char *path;
    char *selector; /* selector of the device */
    struct dj_journal_entry *entries;
    size_t count;
};

/* Opens the journal of a device and reads the entries that an earlier process left.
 * Writes nothing. The caller holds the device's lease. Finish the journal also after an
 * error. */
int dj_measure_journal_open(const char *device, struct dj_journal *journal,
                            struct dj_error *err);

/* Same as dj_measure_journal_open(), with the path of the journal's file. Returns
 * DJ_E_INVALID if the file is not a journal. */
int dj_measure_journal_read(const char *path, struct dj_journal *journal,
                            struct dj_error *err);

/* Notes a value before it is changed. The entry is on disk when this returns 0. An
 * existing entry stays unchanged, because its value is the one to restore. */
int dj_measure_journal_note(struct dj_journal *journal, const char *space,
                            const char *name, const char *value, struct dj_error *err);

/* Removes the entry of a setting that has its original value again. A missing entry is no
 * error. */
int dj_measure_journal_remove(struct dj_journal *journal, const char *space,
                              const char *name, struct dj_error *err);

/* Removes all entries and the file, after all settings are restored. */
int dj_measure_journal_clear(struct dj_journal *journal, struct dj_error *err);

void dj_measure_journal_finish(struct dj_journal *journal);

/* Calls `visit` with the path of each journal that is not empty. Stops and returns the
 * code when `visit` does not return 0. */
int dj_measure_journal_for_each(int (*visit)(void *user, const char *path), void *user,
                                struct dj_error *err);

#endif
