/*
 * What a replay is made of (docs/format/replay.md): in a folder, for every command
 * NNN-command.txt with its words, its kind and how it ended, and what it wrote in
 * NNN-command.out and, where it wrote there, NNN-command.err.
 */
#ifndef DEJANK_DEVICE_REPLAY_FILE_H
#define DEJANK_DEVICE_REPLAY_FILE_H

#include "device/device.h"

enum dj_replay_kind {
    DJ_REPLAY_SHELL,
    DJ_REPLAY_START, /* a command that others ran beside */
    DJ_REPLAY_PUSH,  /* its word: the device's path */
    DJ_REPLAY_PULL,
    DJ_REPLAY_CLOCK, /* no words; its output: "DEV_NS UNCERTAINTY_NS" */
    DJ_REPLAY_KINDS
};

enum { DJ_REPLAY_RUNNING = -1 }; /* the exit code of what was closed while it ran */

struct dj_replay_entry {
    long number;
    char *command; /* kind and words in one canonical form: what is compared; owned */
    int exit_code;
    int error;  /* DJ_E_… where it came to no end; 0 */
    char *says; /* the error's message; owned; NULL: none */
    bool used;
};

/* The canonical form: words quoted alike, and what changes with every call (since=NUMBER)
 * without it. `words` ends with NULL. */
void dj_replay_words(struct dj_text *text, const char *const *words);
/* The same with the kind, as in struct dj_replay_entry. */
void dj_replay_command(struct dj_text *text, enum dj_replay_kind kind,
                       const char *const *words);

/* Completes the text of NNN-command.txt, which has the command's words already. */
void dj_replay_write(struct dj_text *text, enum dj_replay_kind kind, int exit_code,
                     const struct dj_error *error);

/* Reads that text. Pure. DJ_E_INVALID with the line that cannot be; finish the entry
 * where it is 0. */
int dj_replay_parse(const char *text, size_t length, struct dj_replay_entry *entry,
                    struct dj_error *err);
void dj_replay_entry_finish(struct dj_replay_entry *entry);

#endif
