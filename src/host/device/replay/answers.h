/*
 * The recorded answers of a folder, and how far they have been replayed. All devices of
 * this process that replay one folder share this progress. So two connections to one
 * device use one recording, and a device that is opened again continues where it stopped.
 *
 * A step is a command that changes the device, such as starting an app, a touch or a
 * reset. When a step is replayed, all answers that were recorded before this step are
 * marked as used. Any other command gets its first unused answer that was recorded before
 * the next step. If there is none, the command gets its last used answer, or else its
 * first answer. So a program may read the device more or less often than it did during
 * the recording, and still gets answers that match the state of the device. Any thread
 * may call these functions.
 */
#ifndef DEJANK_DEVICE_REPLAY_ANSWERS_H
#define DEJANK_DEVICE_REPLAY_ANSWERS_H

#include "device/replay/entry.h"

struct dj_replay_answers;

/* Reads all commands of a folder, but not their outputs. Returns DJ_E_NOT_FOUND if the
 * folder contains no recording, and DJ_E_INVALID if a file is invalid. The message of
 * that error names the file. */
int dj_replay_answers_open(const char *folder, struct dj_replay_answers **answers,
                           struct dj_error *err);
/* Closes the answers. NULL is allowed. */
void dj_replay_answers_close(struct dj_replay_answers *answers);

/* Returns the next answer to a command and marks this answer as used. `command` has the
 * form of dj_replay_append_command(). Returns NULL if the command was never recorded. The
 * answer is valid until the answers are closed. */
const struct dj_replay_entry *dj_replay_answers_next(struct dj_replay_answers *answers,
                                                     const char *command);

/* Returns the recorded command that is most similar to `command`. */
const struct dj_replay_entry *
dj_replay_answers_find_nearest(const struct dj_replay_answers *answers,
                               const char *command);

#endif
