/*
 * The file format of recordings (docs/format/replay.md). For every command, the folder
 * contains NNN-command.txt with its words, its kind and its result, NNN-command.out with
 * its stdout and, unless its stderr is empty, NNN-command.err.
 */
#ifndef DEJANK_DEVICE_REPLAY_ENTRY_H
#define DEJANK_DEVICE_REPLAY_ENTRY_H

#include "device/device.h"

enum dj_replay_kind {
    DJ_REPLAY_SHELL,
    DJ_REPLAY_START, /* A command that dj_device_start() started. */
    DJ_REPLAY_PUSH,  /* A pushed file. The only word is the path on the device. */
    DJ_REPLAY_PULL,
    /* One reading of the device's clock. An entry of this kind has no command words,
     * and its output is "DEV_NS UNCERTAINTY_NS". */
    DJ_REPLAY_CLOCK,
    DJ_REPLAY_KINDS
};

/* The exit code of a command that was closed while it ran. */
enum { DJ_REPLAY_RUNNING = -1 };

/* A recorded command and its result. */
struct dj_replay_entry {
    long number;
    /* Kind and words in their canonical form, for comparisons. Owned by this struct. */
    char *command;
    int exit_code;
    int error;     /* The error code if the call failed, or 0. */
    char *message; /* The message of the error, or NULL. Owned by this struct. */
    bool used;
};

/* Appends the words of a command in their canonical form, with quotes and with "N" in
 * place of numbers that differ in each call. `words` ends with NULL. */
void dj_replay_append_words(struct dj_text *text, const char *const *words);
/* Appends the kind and the words in the form of dj_replay_entry.command. */
void dj_replay_append_command(struct dj_text *text, enum dj_replay_kind kind,
                              const char *const *words);

/* Appends the rest of NNN-command.txt to a text that already contains the words. */
void dj_replay_append_result(struct dj_text *text, enum dj_replay_kind kind,
                             int exit_code, const struct dj_error *error);

/* Parses the text of NNN-command.txt. Pure. Returns DJ_E_INVALID if the text is
 * invalid. The message names the line. The caller finishes the entry if this function
 * returns 0. */
int dj_replay_parse_entry(const char *text, size_t length, struct dj_replay_entry *entry,
                          struct dj_error *err);
void dj_replay_entry_finish(struct dj_replay_entry *entry);

#endif
