/* The recorder's life in this process: settings, and the segment that is made with the
 * first frame. Of this room only. */
#ifndef DEJANK_RECORDER_LIFE_H
#define DEJANK_RECORDER_LIFE_H

#include "recorder/settings.h"
#include "segment/writer.h"

/* The process's own segment, made now where there is none yet (file I/O, once). NULL
 * where nothing is recorded: another thread is just making it, or it could not be made;
 * a frame that finds none is told to dj_recorder_missed(). */
struct dj_segment_writer *dj_recorder_writer(void);

/* True once the app has confined itself (recorder.h): no system call is made any more. */
bool dj_recorder_is_sealed(void);

/* True where a clock read would be a system call or a fault, and reads 0 instead. */
bool dj_recorder_has_no_clock(void);

/* A frame could not be recorded: it counts as dropped. */
void dj_recorder_missed(void);

const struct dj_settings *dj_recorder_settings(void);

/* Words that are zero in every child: the kernel zeroes them however it was forked, and
 * so does dj_recorder_forked(), as some kernels and emulators accept MADV_WIPEONFORK and
 * ignore it. NULL before dj_recorder_load(). */
extern _Atomic uint32_t *dj_fork_words;

enum dj_fork_word {
    DJ_FORK_OWNER,               /* recorder.c: whose writer this is */
    DJ_FORK_SECTIONS_STATE,      /* sections.c */
    DJ_FORK_SECTIONS_GENERATION, /* sections.c: of its open file; 0: none */
    DJ_FORK_WORDS
};

/* True where nobody stands before the app's waits: where a loop woke is not known. */
bool dj_recorder_is_blind(void);

#endif
