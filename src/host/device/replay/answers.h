/*
 * The recorded answers of a folder, and how far they have been replayed. All replays of a
 * folder in this process share this position: a device and a second connection to it are
 * one recording, and a device that is opened again continues where the last one stopped.
 *
 * A command that changes the device (starting an app, a touch, a reset) is a step. After
 * a step was replayed, all answers before it are past. A command gets no answer from
 * after the next step. So one reading more or less does not shift all later answers. Any
 * thread may call these functions.
 */
#ifndef DEJANK_DEVICE_REPLAY_ANSWERS_H
#define DEJANK_DEVICE_REPLAY_ANSWERS_H

#include "device/replay/entry.h"

struct dj_replay_answers;

/* Reads the folder's commands, not their outputs. DJ_E_NOT_FOUND: nothing is recorded.
 * DJ_E_INVALID: the message names the file. */
int dj_replay_answers_open(const char *folder, struct dj_replay_answers **answers,
                           struct dj_error *err);
void dj_replay_answers_close(struct dj_replay_answers *answers); /* NULL is allowed. */

/* Returns the next answer to a command (in the form of dj_replay_append_command()) and
 * marks it as used. NULL: the command was never recorded. Valid until the answers are
 * closed. */
const struct dj_replay_entry *dj_replay_answers_next(struct dj_replay_answers *answers,
                                                     const char *command);

/* Returns the recorded command that is most similar. */
const struct dj_replay_entry *
dj_replay_answers_find_nearest(const struct dj_replay_answers *answers,
                               const char *command);

#endif
