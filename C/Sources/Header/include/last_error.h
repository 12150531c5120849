/* Remembers a thread's last error, for yoloface_last_error. */
void remember_last_error(const char *message);
