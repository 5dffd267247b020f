/* Classes of devices as a person writes them on a command line. */
#ifndef DEJANK_CLI_HISTORY_CLASS_H
#define DEJANK_CLI_HISTORY_CLASS_H

#include "base/error.h"
#include "facts/device_class.h"

/* "low-end", or conditions as plans have them: "ram < 3 GB, width >= 600 dp,
 * model=Pixel". DJ_E_USAGE says what was expected. The class points into `room`, which
 * the caller keeps. */
enum { DJ_CLASS_ROOM = 256 };
int dj_history_class(const char *words, char room[DJ_CLASS_ROOM],
                     struct dj_device_class *class, struct dj_error *err);

#endif
