/* Finds the likely cause if the recorder saw no frame of a program that has ended. */
#ifndef DEJANK_DEVICE_NO_FRAMES_H
#define DEJANK_DEVICE_NO_FRAMES_H

/* A cause as a sentence without its period, and what the user can do about it. */
struct dj_no_frames_cause {
    const char *cause, *remedy;
};

/* Decides by the base name of the program and by `libraries`, the output of the dynamic
 * loader, which is "" for a script. Returns a general cause if it knows none. */
struct dj_no_frames_cause dj_device_choose_no_frames_cause(const char *name,
                                                           const char *libraries);

/* Does the same for the program at `path`. Asks the dynamic loader, which takes some
 * milliseconds and does not run the program. */
struct dj_no_frames_cause dj_device_find_no_frames_cause(const char *path);

#endif
