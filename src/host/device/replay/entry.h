/*
 * The format of recordings (docs/format/replay.md). For every command, the folder
 * contains NNN-command.txt with its words, its kind and how it ended, NNN-command.out
 * with its output and, if it wrote errors, NNN-command.err.
 */
#ifndef DEJANK_DEVICE_REPLAY_ENTRY_H
#define DEJANK_DEVICE_REPLAY_ENTRY_H

#include "device/device.h"

enum dj_replay_kind {
    DJ_REPLAY_SHELL,
    DJ_REPLAY_START, /* a command that ran while others did */
    DJ_REPLAY_PUSH,  /* its word: the path on the device */
    DJ_REPLAY_PULL,
    DJ_REPLAY_CLOCK, /* no words; its output is "DEV_NS UNCERTAINTY_NS" */
    DJ_REPLAY_KINDS
};

enum {
    DJ_REPLAY_RUNNING = -1
}; /* the exit code of a command that was closed while it ran */

struct dj_replay_entry {
    long number;
    char *command; /* kind and words in a canonical form, for comparisons; owned */
    int exit_code;
    int error;  /* DJ_E_… if the call failed; 0: it did not */
    char *says; /* message of the error; owned; NULL: none */
    bool used;
};

/* Appends words in the canonical form: with the same quotes, and without what changes
 * with every call (since=NUMBER). `words` ends with NULL. */
void dj_replay_append_words(struct dj_text *text, const char *const *words);
/* Appends kind and words, as in struct dj_replay_entry. */
void dj_replay_append_command(struct dj_text *text, enum dj_replay_kind kind,
                              const char *const *words);

/* Appends the rest of NNN-command.txt to a text that contains the words. */
void dj_replay_append_result(struct dj_text *text, enum dj_replay_kind kind,
                             int exit_code, const struct dj_error *error);

/* Parses the text of NNN-command.txt. Pure. DJ_E_INVALID: the message names the line.
 * Finish the entry if this returns 0. */
int dj_replay_parse_entry(const char *text, size_t length, struct dj_replay_entry *entry,
                          struct dj_error *err);
void dj_replay_entry_finish(struct dj_replay_entry *entry);

#endif
