/*
 * What a folder recorded, and how far its story has been told. A device and the one that
 * reads beside it are two to their user and one to the story: all replays of a folder in
 * this process share it, and one that is opened anew goes on where the last one was.
 *
 * What changes a device (starting an app, a touch, a reset) is a step of the story. Once
 * one was asked for, what was recorded before it is past, and equal questions get no
 * answer from behind the next: so one reading more or less does not shift all that
 * follows. Any thread.
 */
#ifndef DEJANK_DEVICE_REPLAY_ANSWERS_H
#define DEJANK_DEVICE_REPLAY_ANSWERS_H

#include "device/replay_file.h"

struct dj_replay_answers;

/* Reads the folder's commands, not their outputs. DJ_E_NOT_FOUND where none is recorded;
 * DJ_E_INVALID with the file. */
int dj_replay_answers_open(const char *folder, struct dj_replay_answers **answers,
                           struct dj_error *err);
void dj_replay_answers_close(struct dj_replay_answers *answers); /* NULL is fine */

/* The answer to a command (dj_replay_command()'s form), which then has been given; NULL:
 * it was never recorded. Valid until the answers are closed. */
const struct dj_replay_entry *dj_replay_answers_take(struct dj_replay_answers *answers,
                                                     const char *command);

/* The recorded command that has most in common with it. */
const struct dj_replay_entry *
dj_replay_answers_nearest(const struct dj_replay_answers *answers, const char *command);

#endif
