/* The journal of a device's changed settings. Before dejank changes a setting, it writes
 * the original value to the journal. If dejank is killed, a later dejank process restores
 * the original value. docs/format/journal.md describes the format. */
#ifndef DEJANK_MEASURE_JOURNAL_H
#define DEJANK_MEASURE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The original value of one setting. */
struct dj_journal_entry {
    /* Kind of the setting: "global", "system", "secure", "property", "screen", "file",
     * "process", "timestats" or "tracing". */
    char *space;
    char *name;
    char *value; /* Original value, or NULL if the setting had no value. */
};

struct dj_journal {
    char *path;
    char *selector; /* Selector of the device. */
    struct dj_journal_entry *entries;
    size_t count;
};

/* Opens the journal of a device and reads the entries that an earlier process has left.
 * Does not change the file. The caller must hold the device's lease. Finish the journal
 * even after an error. */
int dj_measure_journal_open(const char *device, struct dj_journal *journal,
                            struct dj_error *err);

/* Opens the journal in the file `path`, and otherwise does the same as
 * dj_measure_journal_open(). Returns DJ_E_INVALID if the file is not a journal. */
int dj_measure_journal_read(const char *path, struct dj_journal *journal,
                            struct dj_error *err);

/* Adds an entry. Call this function before the setting is changed. When this function
 * returns 0, the entry is on the disk. If the journal already has an entry for the
 * setting, this entry stays unchanged, because it contains the original value. */
int dj_measure_journal_note(struct dj_journal *journal, const char *space,
                            const char *name, const char *value, struct dj_error *err);

/* Removes the entry of a setting. Call this function after the setting has its original
 * value again. Returns 0 if the journal has no such entry. */
int dj_measure_journal_remove(struct dj_journal *journal, const char *space,
                              const char *name, struct dj_error *err);

/* Removes all entries and the file. Call this function after all settings have been
 * restored. */
int dj_measure_journal_clear(struct dj_journal *journal, struct dj_error *err);

void dj_measure_journal_finish(struct dj_journal *journal);

/* Calls `visit` with the path of each journal file. If `visit` returns a value other than
 * 0, stops and returns this value. */
int dj_measure_journal_for_each(int (*visit)(void *user, const char *path), void *user,
                                struct dj_error *err);

#endif
