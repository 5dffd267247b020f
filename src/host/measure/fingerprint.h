/* What tells two things apart in few digits. Not against an attacker. */
#ifndef DEJANK_MEASURE_FINGERPRINT_H
#define DEJANK_MEASURE_FINGERPRINT_H

#include "measure/batch.h"

/* Of a file's contents. DJ_E_IO. */
int dj_fingerprint_file(const char *path, char digits[DJ_FINGERPRINT],
                        struct dj_error *err);

#endif
