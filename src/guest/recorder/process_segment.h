/* The segment and the settings of this process. The recorder creates the segment with
 * the process's first frame. */
#ifndef DEJANK_RECORDER_PROCESS_SEGMENT_H
#define DEJANK_RECORDER_PROCESS_SEGMENT_H

#include "recorder/settings.h"
#include "segment/writer.h"

/* Returns the process's own segment. The first call creates the segment (file I/O).
 * Returns NULL if nothing can be recorded, because another thread is still creating
 * the segment or because creating it failed. The caller must then call
 * dj_recorder_count_missed() for its frame. */
struct dj_segment_writer *dj_recorder_get_writer(void);

/* Returns true after the app has confined itself (dj_recorder_confine()). The recorder
 * then makes no system call. */
bool dj_recorder_is_sealed(void);

/* Returns true if the recorder must not read the clock, because that would be a forbidden
 * system call or would cause a fault. dj_recorder_clock_ns() then returns 0. */
bool dj_recorder_has_no_clock(void);

/* Counts a frame that could not be recorded as dropped. */
void dj_recorder_count_missed(void);

const struct dj_settings *dj_recorder_get_settings(void);

/* Words that are zero in every forked child. The kernel zeroes their page at every
 * kind of fork. dj_recorder_note_fork() zeroes them too, because some kernels and
 * emulators accept MADV_WIPEONFORK and ignore it. NULL before dj_recorder_load(). */
extern _Atomic uint32_t *dj_fork_words;

enum dj_fork_word {
    DJ_FORK_OWNER,               /* Owner of the segment's writer (enum owner in
                                  * recorder.c). */
    DJ_FORK_SECTIONS_STATE,      /* State of the sections file (enum state in
                                  * sections.c). */
    DJ_FORK_SECTIONS_GENERATION, /* Generation of the open sections file (sections.c),
                                  * or 0 if none is open. */
    DJ_FORK_WORDS
};

/* Returns true if no hooks see the app's waits. The times at which event loops wake are
 * unknown in this case. */
bool dj_recorder_is_without_hooks(void);

#endif
