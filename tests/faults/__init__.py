"""What happens to the work of a command that is killed, meets a full disk or a wrong target."""
