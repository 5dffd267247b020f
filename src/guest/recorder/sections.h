/* Trace sections: from a call of the app to its thread's ring. */
#ifndef DEJANK_RECORDER_SECTIONS_H
#define DEJANK_RECORDER_SECTIONS_H

#include "segment/sections_layout.h"

/* True where sections are to be recorded from the start (settings.h). After
 * dj_recorder_load(). */
bool dj_recorder_wants_sections(void);

/* Records an event of the calling thread. name: `length` bytes, cut at DJ_SECTIONS_NAME;
 * events of other kinds than the app's are passed over. What cannot be recorded counts as
 * dropped. Async-signal-safe; leaves errno. The process's first one creates its sections
 * file, and its segment where it has none yet; a thread's first one takes a ring. */
void dj_recorder_section(enum dj_section_kind kind, const char *name, size_t length,
                         int64_t value);

/* Creates the sections file and the calling thread's ring where they are wanted, for an
 * app that is about to confine itself: afterwards no thread gets a ring, and the events
 * of those that have none count as dropped. File I/O. */
void dj_recorder_prepare_sections(void);

#endif
