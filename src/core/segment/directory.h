/* Creates, finds, checks and removes segment files and their directories. */
#ifndef DEJANK_SEGMENT_DIRECTORY_H
#define DEJANK_SEGMENT_DIRECTORY_H

#include "base/error.h"
#include "segment/layout.h"

enum {
    DJ_SEGMENT_PATH = 512, /* Maximum length of a path, including NUL. */
    /* Maximum number of segments of ended processes per directory. */
    DJ_SEGMENT_ENDED_MAX = 64,
    DJ_SEGMENT_ENDED_DAYS = 3,
    /* Maximum number of segment files per process. A process starts a new file each time
     * it replaces itself with exec(), and then overwrites the last one. */
    DJ_SEGMENT_IMAGES = 16,
    DJ_SEGMENT_FILE_NAME = 48 /* Maximum length of a file name, including NUL. */
};

/* A directory of segment files, and the user id of their owner. */
struct dj_segment_directory {
    char path[DJ_SEGMENT_PATH];
    unsigned owner;
};

/* Sets *directory to the directory of this user's segments, and creates it with mode
 * 0700 if it is missing. The path is $DEJANK_DIR, otherwise $XDG_RUNTIME_DIR/dejank (if
 * $XDG_RUNTIME_DIR belongs to this user), otherwise /run/dejank for root, otherwise
 * /tmp/dejank-UID. Returns DJ_E_OWNER if the path is a link, belongs to another user, or
 * is writable by others. Allocates nothing. */
int dj_segment_ensure_directory(struct dj_segment_directory *directory,
                                struct dj_error *err);

/* Returns DJ_E_IO if the directory is not writable, or if its file system has no space
 * for a segment with one window of `keep` frames. */
int dj_segment_check_space(const struct dj_segment_directory *directory, size_t keep,
                           struct dj_error *err);

/* Fills `directories` with the directories that dumpsys of this user reads. For root,
 * these are the directories of every user. Only directories that exist and have the right
 * owner are included. If $DEJANK_DIR is set, it is the only one. Returns their number, at
 * most `maximum`. */
size_t dj_segment_list_directories(struct dj_segment_directory *directories,
                                   size_t maximum);

/* Writes the file name of a segment: "PID.START", or "PID.START.IMAGE" if the process
 * has replaced itself IMAGE times with exec(). */
void dj_segment_file_name(char name[DJ_SEGMENT_FILE_NAME], int64_t pid,
                          uint64_t start_ticks, unsigned image);

/* Returns whether the process that wrote this file has replaced itself with exec() and
 * started another file. If so, the file no longer changes although the process runs. */
bool dj_segment_is_replaced(const char *path);

/* A segment file in a directory. */
struct dj_segment_file {
    char path[DJ_SEGMENT_PATH];
    unsigned owner;
    int64_t pid; /* Process id in the file name. */
    uint64_t start_ticks;
    /* Number in the file name, or 0 if there is none (see dj_segment_file_name()). */
    unsigned image;
    /* Whether the process has ended. A zombie and a process of an earlier boot have also
     * ended. */
    bool ended;
    /* Whether the file was written before the last boot, so that its pid and timestamps
     * have no meaning now. */
    bool other_boot;
    bool unfinished;    /* Whether no frame has been recorded in the file. */
    int64_t modified_s; /* Time of the last write or frame, in seconds since 1970 UTC. */
    enum dj_retention retention; /* DJ_RETAIN_NEWEST if the header cannot be read. */
};

/* Calls `visit` for every segment file of a directory, in any order, until `visit`
 * returns false. Ignores files with other names. Allocates nothing. */
int dj_segment_scan(const struct dj_segment_directory *directory,
                    bool (*visit)(const struct dj_segment_file *file, void *user),
                    void *user, struct dj_error *err);

/* Removes segments of ended processes that are unfinished, from another boot, older than
 * DJ_SEGMENT_ENDED_DAYS, or not among the DJ_SEGMENT_ENDED_MAX newest. Removes named
 * recordings (DJ_RETAIN_NAMED) only if they are from another boot, and does not count
 * them among the newest. Allocates nothing and ignores errors. */
void dj_segment_prune(const struct dj_segment_directory *directory);

/* Removes a segment and its sections file. Returns DJ_E_IO if the segment cannot be
 * removed. A segment that does not exist is not an error. */
int dj_segment_remove(const struct dj_segment_file *file, struct dj_error *err);

/* Returns whether the process with this pid and start time runs. A zombie does not
 * run. */
bool dj_segment_process_is_alive(int64_t pid, uint64_t start_ticks);

/* Returns the start time of a process in clock ticks since boot, or 0 if unknown. */
uint64_t dj_segment_process_start_ticks(int64_t pid);

/* Writes the id of the current boot, or "" if unknown. */
void dj_segment_read_boot_id(char id[40]);

#endif
