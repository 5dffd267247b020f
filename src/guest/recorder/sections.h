/* Trace sections: from a call of the app to its thread's ring. */
#ifndef DEJANK_RECORDER_SECTIONS_H
#define DEJANK_RECORDER_SECTIONS_H

#include "segment/sections_layout.h"

/* Returns true if sections are recorded from the start (settings.h). Call it after
 * dj_recorder_load(). */
bool dj_recorder_wants_sections(void);

/* Records an event of the calling thread. name: `length` bytes, truncated to
 * DJ_SECTIONS_NAME. Ignores kinds that apps do not use. An event that cannot be
 * recorded counts as dropped. Async-signal-safe; keeps errno. The first event of a
 * process creates its sections file, and its segment if it has none yet. The first
 * event of a thread acquires a ring. */
void dj_recorder_write_section(enum dj_section_kind kind, const char *name, size_t length,
                               int64_t value);

/* Creates the sections file and the calling thread's ring, if sections are requested,
 * for an app that is about to confine itself. Afterwards no thread gets a ring, and
 * events of threads without one count as dropped. File I/O. */
void dj_recorder_prepare_sections(void);

#endif
