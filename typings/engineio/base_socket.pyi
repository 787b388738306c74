time: object
