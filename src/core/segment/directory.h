/* The directories and names of segment files: creating, finding, checking and removing
 * them. */
#ifndef DEJANK_SEGMENT_DIRECTORY_H
#define DEJANK_SEGMENT_DIRECTORY_H

#include "base/error.h"
#include "segment/layout.h"

enum {
    DJ_SEGMENT_PATH = 512, /* maximum length of a path, with its NUL */
    DJ_SEGMENT_ENDED_MAX =
        64, /* maximum number of segments of ended processes per directory */
    DJ_SEGMENT_ENDED_DAYS = 3,
    DJ_SEGMENT_IMAGES = 16,   /* maximum number of files of one process, which may replace
                                 itself with exec(); one more replaces the last */
    DJ_SEGMENT_FILE_NAME = 48 /* maximum length of a name, with its NUL */
};

/* A directory and the owner of the files in it. */
struct dj_segment_place {
    char path[DJ_SEGMENT_PATH];
    unsigned owner;
};

/* Sets *place to the directory of this user's processes, and creates it (mode 0700) if
 * it is missing: $DEJANK_DIR, else $XDG_RUNTIME_DIR/dejank (if $XDG_RUNTIME_DIR
 * belongs to this user), else /run/dejank for root, else /tmp/dejank-UID. Returns
 * DJ_E_OWNER if the path belongs to another user, is a link, or is writable by others.
 * Allocates nothing. */
int dj_segment_ensure_directory(struct dj_segment_place *place, struct dj_error *err);

/* Returns DJ_E_IO if the directory is not writable, or if its file system has no space
 * for a segment with one window of `keep` frames. */
int dj_segment_check_space(const struct dj_segment_place *place, size_t keep,
                           struct dj_error *err);

/* Fills `places` with all directories that this user's dumpsys reads (for root: those
 * of every user) that exist and pass the owner check. If $DEJANK_DIR is set, it is the
 * only one. Returns their number, at most `maximum`. */
size_t dj_segment_list_places(struct dj_segment_place *places, size_t maximum);

/* Writes "PID.START", or "PID.START.IMAGE" if the process has replaced itself IMAGE
 * times. */
void dj_segment_file_name(char name[DJ_SEGMENT_FILE_NAME], int64_t pid,
                          uint64_t start_ticks, unsigned image);

/* Returns whether the process that wrote this file has replaced itself with exec() and
 * begun another file. Then this file is final even while the process lives. */
bool dj_segment_is_replaced(const char *path);

/* A segment file in a directory. */
struct dj_segment_file {
    char path[DJ_SEGMENT_PATH];
    unsigned owner;
    int64_t pid; /* from the file's name */
    uint64_t start_ticks;
    unsigned
        image;  /* number in the file name, see dj_segment_file_name(); 0: the first */
    bool ended; /* the process has ended (or is a zombie, or from another boot) */
    bool other_boot; /* written before this boot: its pid and timestamps have no meaning
                        now */
    bool unfinished; /* no frame was recorded in it (yet) */
    int64_t modified_s;          /* last write or frame, by the wall clock */
    enum dj_retention retention; /* DJ_RETAIN_NEWEST if the header cannot be read */
};

/* Calls `visit` for every segment file of a directory, in any order, until it returns
 * false. Ignores files with other names. Allocates nothing. */
int dj_segment_scan(const struct dj_segment_place *place,
                    bool (*visit)(const struct dj_segment_file *file, void *user),
                    void *user, struct dj_error *err);

/* Removes segments of ended processes that are unfinished, from another boot, older
 * than DJ_SEGMENT_ENDED_DAYS, or not among the DJ_SEGMENT_ENDED_MAX newest. Removes
 * named recordings (DJ_RETAIN_NAMED) only if they are from another boot, and does not
 * count them among the newest. Allocates nothing and ignores errors. */
void dj_segment_prune(const struct dj_segment_place *place);

/* Removes a segment and its sections file. Returns DJ_E_IO if the segment cannot be
 * removed. A segment that does not exist is not an error. */
int dj_segment_remove(const struct dj_segment_file *file, struct dj_error *err);

/* Returns whether the process with this pid and start time runs. A zombie does not. */
bool dj_segment_process_is_alive(int64_t pid, uint64_t start_ticks);

/* Returns the start time of a process in clock ticks since boot, or 0 if it is
 * unknown. */
uint64_t dj_segment_process_start_ticks(int64_t pid);

/* Writes the identity of this boot, or "" if it is unknown. */
void dj_segment_read_boot_id(char id[40]);

#endif
