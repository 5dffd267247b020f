/* Records trace sections: writes each section event of the app to the ring of the
 * calling thread. */
#ifndef DEJANK_RECORDER_SECTIONS_H
#define DEJANK_RECORDER_SECTIONS_H

#include "segment/sections_layout.h"

/* Returns true if the settings request sections. Call this function after
 * dj_recorder_load(). */
bool dj_recorder_wants_sections(void);

/* Records a section event of the calling thread. `name` has `length` bytes and is
 * truncated to DJ_SECTIONS_NAME bytes. Ignores kinds that apps do not use. An event
 * that cannot be recorded counts as dropped. Async-signal-safe. Keeps errno. The first
 * event of a process creates the sections file, and also the segment if the process
 * has none. The first event of a thread acquires a ring. */
void dj_recorder_write_section(enum dj_section_kind kind, const char *name, size_t length,
                               int64_t value);

/* Creates the sections file and the calling thread's ring, if the settings request
 * sections. Call this function before the app confines itself. Afterwards no thread can
 * acquire a ring, and events of threads without a ring count as dropped. File I/O. */
void dj_recorder_prepare_sections(void);

#endif
