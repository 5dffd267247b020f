/* The recorder's life in this process: its settings, and the segment, which is created
 * with the first frame. */
#ifndef DEJANK_RECORDER_PROCESS_SEGMENT_H
#define DEJANK_RECORDER_PROCESS_SEGMENT_H

#include "recorder/settings.h"
#include "segment/writer.h"

/* Returns the process's own segment, and creates it at the first call (file I/O,
 * once). Returns NULL if nothing is recorded: another thread is creating the segment,
 * or that failed. Call dj_recorder_count_missed() for a frame that gets NULL. */
struct dj_segment_writer *dj_recorder_get_writer(void);

/* Returns true after the app has confined itself (recorder.h). Then the recorder makes
 * no system call. */
bool dj_recorder_is_sealed(void);

/* Returns true if reading the clock would be a system call or a fault. The clock reads
 * 0 then. */
bool dj_recorder_has_no_clock(void);

/* Counts a frame that could not be recorded as dropped. */
void dj_recorder_count_missed(void);

const struct dj_settings *dj_recorder_get_settings(void);

/* Words that are zero in every child. The kernel zeroes them for every kind of fork.
 * dj_recorder_note_fork() zeroes them too, because some kernels and emulators accept
 * MADV_WIPEONFORK and ignore it. NULL before dj_recorder_load(). */
extern _Atomic uint32_t *dj_fork_words;

enum dj_fork_word {
    DJ_FORK_OWNER,               /* recorder.c: the owner of the writer */
    DJ_FORK_SECTIONS_STATE,      /* sections.c */
    DJ_FORK_SECTIONS_GENERATION, /* sections.c: generation of its open file; 0: none */
    DJ_FORK_WORDS
};

/* Returns true if no hooks see the app's waits, so that the times at which loops wake
 * are unknown. */
bool dj_recorder_is_without_hooks(void);

#endif
