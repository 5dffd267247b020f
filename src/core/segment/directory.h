/* Where segments live: naming, creating, finding, owner-checking and clearing away their
 * files. */
#ifndef DEJANK_SEGMENT_DIRECTORY_H
#define DEJANK_SEGMENT_DIRECTORY_H

#include "base/error.h"
#include "segment/layout.h"

enum {
    DJ_SEGMENT_PATH = 512,     /* longest path, with its NUL */
    DJ_SEGMENT_DEAD_KEPT = 64, /* segments of ended processes kept per directory */
    DJ_SEGMENT_DEAD_DAYS = 3,
    DJ_SEGMENT_IMAGES = 16,   /* files of one process, which may replace itself by exec();
                                 a further one takes the place of the last */
    DJ_SEGMENT_FILE_NAME = 48 /* longest name, with its NUL */
};

/* One place to look, and whose files it may hold. */
struct dj_segment_place {
    char path[DJ_SEGMENT_PATH];
    unsigned owner;
};

/*
 * The directory a process of this user writes to, made (mode 0700) where it is missing:
 * $DEJANK_DIR, else $XDG_RUNTIME_DIR/dejank (where $XDG_RUNTIME_DIR is this user's own),
 * else /run/dejank for root, else /tmp/dejank-UID. DJ_E_OWNER where what stands there is
 * another's, a link, or writable by others. Allocates nothing.
 */
int dj_segment_own_directory(struct dj_segment_place *place, struct dj_error *err);

/* DJ_E_IO where the place cannot be written to, or its file system has no room left for a
 * segment of one window of `keep` frames. */
int dj_segment_check_room(const struct dj_segment_place *place, size_t keep,
                          struct dj_error *err);

/* All directories this user's dumpsys looks in (for root: every user's); those that exist
 * and pass the owner check. $DEJANK_DIR, where set, is the only one. Returns how many
 * were stored, at most `maximum`. */
size_t dj_segment_places(struct dj_segment_place *places, size_t maximum);

/* "PID.START", or "PID.START.IMAGE" once the process has replaced itself: how often it
 * had. */
void dj_segment_file_name(char name[DJ_SEGMENT_FILE_NAME], int64_t pid,
                          uint64_t start_ticks, unsigned image);

/* True where the process that wrote this file has since replaced itself by exec() and
 * begun another: what is in this one is all there will be, also while the process lives.
 */
bool dj_segment_is_replaced(const char *path);

/* A segment file found. */
struct dj_segment_file {
    char path[DJ_SEGMENT_PATH];
    unsigned owner;
    int64_t pid; /* from the file's name */
    uint64_t start_ticks;
    unsigned image;     /* as dj_segment_file_name() has it; 0: the first */
    bool ended;         /* the process is no more (or a zombie, or from another boot) */
    bool other_boot;    /* written before this boot: neither its pid nor its stamps mean
                           anything now */
    bool unfinished;    /* nothing was recorded in it (yet) */
    int64_t modified_s; /* last write or frame, wall clock */
    enum dj_retention retention; /* DJ_RETAIN_NEWEST if the header cannot be read */
};

/* Calls visit for every segment file of a place, in no order; stops when it returns
 * false. Files with other names are passed over. Allocates nothing. */
int dj_segment_scan(const struct dj_segment_place *place,
                    bool (*visit)(const struct dj_segment_file *file, void *user),
                    void *user, struct dj_error *err);

/* Removes segments of ended processes that are unfinished, from another boot, older than
 * DJ_SEGMENT_DEAD_DAYS, or beyond the DJ_SEGMENT_DEAD_KEPT newest. Those of recordings
 * that the user named (DJ_RETAIN_NAMED) are removed only if they are from another boot,
 * and do not count among the newest. Allocates nothing; what cannot be removed stays. */
void dj_segment_prune(const struct dj_segment_place *place);

/* Removes a segment and its file of sections. DJ_E_IO if the segment cannot be removed;
 * it is not an error if the segment does not exist any more. */
int dj_segment_remove(const struct dj_segment_file *file, struct dj_error *err);

/* True if the process with this pid and start time runs (a zombie does not). */
bool dj_process_alive(int64_t pid, uint64_t start_ticks);

/* Start time of a process in clock ticks since boot; 0 where it cannot be told. */
uint64_t dj_process_start_ticks(int64_t pid);

/* The boot's identity, "" where unknown. */
void dj_boot_id(char id[40]);

#endif
